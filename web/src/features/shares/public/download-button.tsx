import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { startDownload } from '../../../common/downloads.ts';
import { tellError } from '../../../ui/tell.ts';
import { toDownload } from '../addresses.ts';
import { useCheckShare } from './use-shared.ts';

/** So long the browser has to begin, before the page asks how much is left. */
const BEGUN_AFTER_MS = 1_500;

interface DownloadButtonProps {
  readonly token: string;
  /** Whether there is nothing left to be had. */
  readonly isOver: boolean;
  readonly onBegun: () => void;
}

/**
 * Downloads what is shared, by its plain address: the browser writes it to the disk as it comes. Asked before, the service
 * says in words what a refused download would leave to the browser's own.
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
        // A response that is not a file, because the download was refused at the last moment, must not replace the page.
        startDownload(toDownload(token), '');
      }
      return mayBegin;
    },
    onError: tellError,
  });
  const hasBegun = download.data === true;
  const { submittedAt } = download;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each download that began
  useEffect(() => {
    if (!hasBegun) return;
    // What it says then is on the page; that nobody could be asked is not worth a word.
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
