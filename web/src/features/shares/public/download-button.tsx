import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { startDownload } from '../../../common/downloads.ts';
import { tellError } from '../../../ui/tell.ts';
import { toDownload } from '../addresses.ts';
import { useCheckShare } from './use-shared.ts';

/** How long the browser has to start the download, before the page asks how many downloads are left. */
const BEGUN_AFTER_MS = 1_500;

interface DownloadButtonProps {
  readonly token: string;
  /** Whether no download is left. */
  readonly isOver: boolean;
  readonly onBegun: () => void;
}

/**
 * Downloads the shared file from its plain address, so that the browser writes it to disk while it arrives.
 * The page asks the service first, because it would otherwise leave the error message of a refused download
 * to the browser.
 */
export function DownloadButton({ token, isOver, onBegun }: DownloadButtonProps) {
  const { t } = useTranslation();
  const check = useCheckShare(token);
  const download = useMutation({
    mutationFn: async () => {
      const share = await check();
      const mayBegin = share.allowDownload && !share.expired && !share.exhausted;
      if (mayBegin) {
        onBegun();
        // A refused download sends an error instead of a file, which must not replace the page.
        startDownload(toDownload(token), '');
      }
      return mayBegin;
    },
    onError: tellError,
  });
  const hasBegun = download.data === true;
  const { submittedAt } = download;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each started download
  useEffect(() => {
    if (!hasBegun) return;
    // The page shows the result; a failed request is not reported.
    const timer = setTimeout(() => void check().catch(() => undefined), BEGUN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasBegun, submittedAt]);
  return (
    <>
      {!isOver && (
        <Button
          size="lg"
          leftSection={<IconDownload size={20} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('shares.download')}
        </Button>
      )}
      <Text size="sm" ta="center" role="status" c="dimmed" hidden={!hasBegun}>
        {hasBegun && t('shares.downloadBegun')}
      </Text>
    </>
  );
}
