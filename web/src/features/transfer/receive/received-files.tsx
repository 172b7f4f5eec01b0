import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDeviceFloppy, IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile, startEach } from '../../../common/downloads.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { ImportButton } from '../importing/import-button.tsx';
import { receivedImports } from '../importing/import-sources.ts';
import { MAX_SAVED_AT_ONCE } from '../saving/places.ts';
import { type HiddenPlace, isHidden, NoPlace } from '../saving/save-place.ts';
import type { Receiving } from '../session/receiving.ts';

/** Transfers whose files were saved, whether or not the page of the transfer was left meanwhile. */
const saved = new WeakSet<Receiving>();
/** The archives that were made of transfers, or are being made. */
const archives = new WeakMap<Receiving, Promise<File>>();

/** The received files, and what can be done with them. */
export function ReceivedFiles({ receiving }: { readonly receiving: Receiving }) {
  const { t } = useTranslation();
  const { place, paths } = receiving;
  return (
    <Stack gap="sm">
      {isHidden(place) ? (
        <HiddenFiles receiving={receiving} place={place} />
      ) : (
        <Text size="sm">{t('transfer.savedTo', { place: place.name ?? '' })}</Text>
      )}
      <Group gap="xs">
        <ImportButton findSources={() => receivedImports(place, receiving.store.snapshot().files, paths)} />
      </Group>
    </Stack>
  );
}

interface HiddenFilesProps {
  readonly receiving: Receiving;
  readonly place: HiddenPlace;
}

/** Files inside of the browser. One is saved as it is, several as one archive with their folders. */
function HiddenFiles({ receiving, place }: HiddenFilesProps) {
  const { t } = useTranslation();
  const { paths } = receiving;
  const [part, setPart] = useState(0);
  const isOne = paths.length === 1;
  const save = useMutation({
    mutationFn: async () => {
      saved.add(receiving);
      const file = isOne ? await place.find(0) : await getArchive(receiving, place, setPart);
      if (file !== undefined) void saveFile(file, file.name);
      return file?.name ?? '';
    },
    onError: (error) => {
      saved.delete(receiving);
      if (!(error instanceof NoPlace)) notifyError(error);
    },
  });
  useSaveOnce(receiving, save.mutate);
  const isFew = paths.length <= MAX_SAVED_AT_ONCE;
  const saveEach = () => {
    saved.add(receiving);
    const downloads = paths.map((_, index) => async () => {
      const file = await place.find(index);
      if (file !== undefined) void saveFile(file, file.name);
    });
    startEach(downloads).catch(notifyError);
  };
  const hasNoPlace = save.error instanceof NoPlace;
  return (
    <>
      {save.isPending && !isOne ? (
        <div>
          <Text size="sm">{t('transfer.packing')}</Text>
          <Progress value={part * 100} aria-label={t('transfer.archiveProgress')} />
        </div>
      ) : (
        <Text size="sm">
          {isOne || save.data === undefined
            ? t(isOne || isFew ? 'transfer.savedByBrowser' : 'transfer.savedInBrowser')
            : t('transfer.archiveSaved', { name: save.data })}
        </Text>
      )}
      {hasNoPlace && (
        <Alert color="yellow" role="alert" icon={<IconInfoCircle aria-hidden />}>
          {t('transfer.noArchivePlace')}
        </Alert>
      )}
      <Group gap="xs">
        <Button
          h={44}
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={save.isPending}
          onClick={() => (hasNoPlace ? saveEach() : save.mutate())}
        >
          {isOne ? t('transfer.save') : t(hasNoPlace ? 'transfer.saveEach' : 'transfer.saveAll')}
        </Button>
      </Group>
    </>
  );
}

/** Made once: the files do not change. @throws NoPlace */
async function getArchive(
  receiving: Receiving,
  place: HiddenPlace,
  onPart: (part: number) => void,
): Promise<File> {
  const made = archives.get(receiving) ?? makeArchive(receiving, place, onPart);
  archives.set(receiving, made);
  try {
    return await made;
  } catch (error) {
    archives.delete(receiving);
    throw error;
  }
}

async function makeArchive(
  receiving: Receiving,
  place: HiddenPlace,
  onPart: (part: number) => void,
): Promise<File> {
  const { packFiles, toArchiveName } = await import('../saving/pack-files.ts');
  const { paths } = receiving;
  const { totalBytes } = receiving.store.snapshot();
  const archive = await place.openArchive(totalBytes);
  try {
    await packFiles({ paths, find: place.find }, archive.target, (bytes) => {
      onPart(totalBytes === 0 ? 1 : bytes / totalBytes);
    });
  } catch (error) {
    await archive.abandon();
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    throw isFull ? new NoPlace('The browser gives no room for the archive.', { cause: error }) : error;
  }
  return await archive.finish(toArchiveName(paths));
}

/**
 * Saves files that exist only in this page, since they would be lost with it. Only few are saved without a
 * click; before many are lost, the browser asks.
 */
function useSaveOnce(receiving: Receiving, save: () => void): void {
  const isFew = receiving.paths.length <= MAX_SAVED_AT_ONCE;
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    if (saved.has(receiving)) return;
    if (isFew) latest.current();
    const askFirst = (event: BeforeUnloadEvent) => {
      if (!saved.has(receiving)) event.preventDefault();
    };
    window.addEventListener('beforeunload', askFirst);
    return () => window.removeEventListener('beforeunload', askFirst);
  }, [receiving, isFew]);
}
