import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type OpenedTransfer, onlyFile } from '../../../../../client/src/transfer/session/opened-transfer.ts';
import { toSafePaths } from '../../../../../client/src/transfer/session/safe-paths.ts';
import { startDownload } from '../../../common/downloads.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ImportButton } from '../importing/import-button.tsx';
import { sealedImports, storedImports } from '../importing/import-sources.ts';
import { notifyFailure } from '../progress/notify-failure.ts';
import { canPickFolder } from '../saving/pickers.ts';
import { choosePlace } from '../saving/places.ts';
import { setCurrent } from '../session/current.ts';
import { Receiving } from '../session/receiving.ts';
import { archiveAddress, downloadAddress } from '../session/sessions.ts';
import { OfferedFiles } from './offered-files.tsx';

/** Files that the service stores for anyone with the code. */
export function StoredOffer({ opened }: { readonly opened: OpenedTransfer }) {
  const { t } = useTranslation();
  const { session, encryption } = opened;
  const { files, sessionId } = session;
  const paths = toSafePaths(files);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const nameOf = (index: number) => paths[index]?.at(-1) ?? '';
  const getAll = useMutation({
    mutationFn: async () => {
      const [only] = files;
      if (encryption !== undefined || (files.length > 1 && canPickFolder())) {
        await receiveHere(opened, paths);
      } else if (files.length === 1 && only !== undefined) {
        startDownload(downloadAddress(sessionId, only.id), nameOf(0));
      } else {
        startDownload(archiveAddress(sessionId), '');
      }
    },
    onError: notifyFailure,
  });
  const getOne = useMutation({
    mutationFn: (index: number) => receiveHere(onlyFile(opened, index), paths.slice(index, index + 1)),
    onError: notifyFailure,
  });
  const looks = { variant: 'subtle', size: 40 } as const;
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
        actions={(index) =>
          encryption === undefined ? (
            <IconButton
              component="a"
              href={downloadAddress(sessionId, files[index]?.id ?? '')}
              download={nameOf(index)}
              {...looks}
              label={t('transfer.downloadFile', { name: nameOf(index) })}
            >
              <IconDownload size={20} aria-hidden />
            </IconButton>
          ) : (
            <IconButton
              {...looks}
              label={t('transfer.downloadFile', { name: nameOf(index) })}
              onClick={() => getOne.mutate(index)}
            >
              <IconDownload size={20} aria-hidden />
            </IconButton>
          )
        }
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
          findSources={() =>
            encryption === undefined ? storedImports(session, paths) : sealedImports(opened, paths)
          }
        />
      </Group>
    </Stack>
  );
}

/** Receives the files in this page, into a place that the user chooses. */
async function receiveHere(opened: OpenedTransfer, paths: readonly (readonly string[])[]): Promise<void> {
  const totalBytes = opened.session.files.reduce((sum, { size }) => sum + size, 0);
  const place = await choosePlace(paths, totalBytes);
  if (place === undefined) return;
  const receiving = new Receiving(opened, place, paths);
  setCurrent({ receiving });
  void receiving.start();
}
