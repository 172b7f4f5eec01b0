import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OpenedTransfer } from '../../../../../client/src/transfer/session/opened-transfer.ts';
import { toSafePaths } from '../../../../../client/src/transfer/session/safe-paths.ts';
import { messageOf } from '../../../common/message-of.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { canPickFile, canPickFolder } from '../saving/pickers.ts';
import { choosePlace, MAX_MEMORY_BYTES, MAX_SAVED_AT_ONCE } from '../saving/places.ts';
import { NoPlace } from '../saving/save-place.ts';
import { setCurrent } from '../session/current.ts';
import { hasReceiverPlace, Receiving } from '../session/receiving.ts';
import { OfferedFiles } from './offered-files.tsx';

/** An offer to send files from browser to browser. Nothing is received until the user accepts. */
export function Offer({ opened }: { readonly opened: OpenedTransfer }) {
  const { t } = useTranslation();
  const { session } = opened;
  const paths = toSafePaths(session.files);
  const totalBytes = session.files.reduce((sum, { size }) => sum + size, 0);
  const accept = useMutation({
    mutationFn: async () => {
      const place = await choosePlace(paths, totalBytes);
      if (place === undefined) return;
      const receiving = new Receiving(opened, place, paths);
      setCurrent({ receiving });
      void receiving.start();
    },
  });
  if (session.status === 'JOINED' && !hasReceiverPlace(session.sessionId)) {
    return (
      <Alert color="yellow" role="alert" icon={<IconInfoCircle aria-hidden />}>
        {t('transfer.taken')}
      </Alert>
    );
  }
  const asks = session.files.length === 1 ? canPickFile() : canPickFolder();
  const isSaved = session.files.length <= MAX_SAVED_AT_ONCE;
  return (
    <Stack gap="md">
      <Text>{t('transfer.offered', { count: session.files.length, size: formatBytes(totalBytes) })}</Text>
      <OfferedFiles files={session.files} paths={paths} />
      <Text size="sm" c="dimmed">
        {t(asks ? 'transfer.acceptPicks' : isSaved ? 'transfer.acceptSaves' : 'transfer.acceptKeeps')}
      </Text>
      {accept.error !== null && (
        <Alert color="red" role="alert">
          {accept.error instanceof NoPlace
            ? t('transfer.noPlace', { most: formatBytes(MAX_MEMORY_BYTES) })
            : messageOf(accept.error)}
        </Alert>
      )}
      <Group>
        <Button
          h={44}
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={accept.isPending}
          onClick={() => accept.mutate()}
        >
          {t('transfer.accept')}
        </Button>
      </Group>
    </Stack>
  );
}
