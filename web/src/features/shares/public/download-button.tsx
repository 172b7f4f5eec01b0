import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { startDownload } from '../../../common/downloads.ts';
import { pause } from '../../../common/timing/pause.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { toDownload } from '../addresses.ts';
import { useCheckShare } from './use-shared.ts';

/**
 * How long after the start of a download the page asks how many downloads are left. It asks several times,
 * because the browser decides when to send the request.
 */
const CHECK_AFTER_MS = [400, 800, 1_600, 3_200, 6_400];

interface DownloadButtonProps {
  readonly token: string;
  /** Whether no download is left. */
  readonly isOver: boolean;
  readonly onBegun: () => void;
  /** Called if the share can no longer be used or is gone. */
  readonly onEnded: () => void;
}

/**
 * Downloads the shared file from its plain URL, so that the browser writes it to disk while it arrives. The
 * page asks the service first. Otherwise the browser itself would show the error of a rejected download.
 */
export function DownloadButton({ token, isOver, onBegun, onEnded }: DownloadButtonProps) {
  const { t } = useTranslation();
  const check = useCheckShare(token);
  const download = useMutation({
    mutationFn: async () => {
      const share = await check();
      const mayBegin = share.allowDownload && !share.expired && !share.exhausted;
      if (mayBegin) {
        onBegun();
        // A rejected download returns an error instead of a file, which must not replace the page.
        startDownload(toDownload(token), '');
      }
      return mayBegin ? share.downloadCount : undefined;
    },
    onError: (error) => {
      // The share was deleted or has ended since the page was opened, and the page says so.
      if (error instanceof HoldallError && [403, 404, 410].includes(error.status)) onEnded();
      else notifyError(error);
    },
  });
  const countBefore = download.data;
  const hasBegun = countBefore !== undefined;
  const { submittedAt } = download;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after each started download
  useEffect(() => {
    if (countBefore === undefined) return;
    const end = new AbortController();
    const isCounted = async () => (await check()).downloadCount > countBefore;
    // The page shows the result; a failed request is not reported.
    untilTrue(isCounted, CHECK_AFTER_MS, end.signal).catch(() => undefined);
    return () => end.abort();
  }, [countBefore, submittedAt]);
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

/** Asks after each delay until the answer is true. */
async function untilTrue(
  ask: () => Promise<boolean>,
  delaysMs: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const delayMs of delaysMs) {
    await pause(delayMs);
    if (signal.aborted || (await ask())) return;
  }
}
