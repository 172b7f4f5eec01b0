import { ActionIcon, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TransferRecord } from '../../../api/contract.ts';
import { startDownload, startEach } from '../../../common/downloads.ts';
import { formatBytes, formatNumber, formatTime } from '../../../messages/formats.ts';
import { tellError } from '../../../ui/tell.ts';
import { canPickFolder } from '../saving/pickers.ts';
import { choosePlace } from '../saving/places.ts';
import { toSafePaths } from '../saving/safe-paths.ts';
import { setCurrent } from '../session/current.ts';
import { importStored } from '../session/drive-import.ts';
import { Receiving } from '../session/receiving.ts';
import { downloadAddress } from '../session/sessions.ts';
import { ImportButton } from './import-button.tsx';
import { OfferedFiles } from './offered-files.tsx';

/** Files that the service stores for the holder of the code. */
export function StoredOffer({ session }: { readonly session: TransferRecord }) {
  const { t } = useTranslation();
  const { files, sessionId } = session;
  const paths = toSafePaths(files);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const getAll = useMutation({
    mutationFn: async () => {
      const [only] = files;
      if (files.length > 1 && canPickFolder()) {
        const place = await choosePlace(paths, totalBytes);
        if (place === undefined) return;
        const receiving = new Receiving(session, place, paths);
        setCurrent({ receiving });
        void receiving.start();
      } else if (files.length === 1 && only !== undefined) {
        startDownload(downloadAddress(sessionId, only.id), nameOf(0));
      } else {
        const downloads = files.map(
          ({ id }, index) =>
            () =>
              startDownload(downloadAddress(sessionId, id), nameOf(index)),
        );
        await startEach(downloads);
      }
    },
    onError: tellError,
  });
  const nameOf = (index: number) => paths[index]?.at(-1) ?? '';
  if (session.status === 'UPLOADING') {
    const there = files.filter(({ uploaded }) => uploaded).length;
    return (
      <Group gap="sm" role="status" wrap="nowrap">
        <Loader size="sm" aria-hidden />
        <Text>
          {t('transfer.stillStoring', { there: formatNumber(there), total: formatNumber(files.length) })}
        </Text>
      </Group>
    );
  }
  return (
    <Stack gap="md">
      <div>
        <Text>{t('transfer.storedForYou', { count: files.length, size: formatBytes(totalBytes) })}</Text>
        <Text size="sm" c="dimmed">
          {t('transfer.storedUntil', { time: formatTime(session.expiresAt) })}
        </Text>
      </div>
      <OfferedFiles
        files={files}
        paths={paths}
        actions={(index) => (
          <ActionIcon
            component="a"
            href={downloadAddress(sessionId, files[index]?.id ?? '')}
            download={nameOf(index)}
            variant="subtle"
            size={40}
            aria-label={t('transfer.downloadFile', { name: nameOf(index) })}
          >
            <IconDownload size={20} aria-hidden />
          </ActionIcon>
        )}
      />
      <Group gap="xs">
        <Button
          h={44}
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={getAll.isPending}
          onClick={() => getAll.mutate()}
        >
          {files.length === 1 ? t('transfer.download') : t('transfer.downloadAll')}
        </Button>
        <ImportButton
          label={t('transfer.import')}
          onImport={(target) => importStored(session, [...files.keys()], paths, target)}
        />
      </Group>
    </Stack>
  );
}
