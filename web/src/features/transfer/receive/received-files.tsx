import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportButton } from '../importing/import-button.tsx';
import { receivedImports } from '../importing/import-sources.ts';
import { MAX_SAVED_AT_ONCE } from '../saving/places.ts';
import { type HiddenPlace, isHidden } from '../saving/save-place.ts';
import type { Receiving } from '../session/receiving.ts';
import { type SaveTask, saveTaskOf } from './save-task.ts';

/** The received files, and what the user can do with them. */
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

/** Files inside the browser. A single file is saved directly, several as one archive with their folders. */
function HiddenFiles({ receiving, place }: { readonly receiving: Receiving; readonly place: HiddenPlace }) {
  const { t } = useTranslation();
  const isOne = receiving.paths.length === 1;
  const isFew = receiving.paths.length <= MAX_SAVED_AT_ONCE;
  const task = saveTaskOf(place, receiving);
  const { packedPart, isSaving, archiveName, hasNoPlace } = useSyncExternalStore(
    task.subscribe,
    task.snapshot,
  );
  useSaveOnce(task, isFew);
  return (
    <>
      {isSaving && !isOne ? (
        <div>
          <Text size="sm">{t('transfer.packing')}</Text>
          <Progress value={packedPart * 100} aria-label={t('transfer.archiveProgress')} />
        </div>
      ) : (
        <Text size="sm">
          {archiveName === undefined
            ? t(isOne || isFew ? 'transfer.savedByBrowser' : 'transfer.savedInBrowser')
            : t('transfer.archiveSaved', { name: archiveName })}
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
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={isSaving}
          onClick={() => (hasNoPlace ? task.saveEach() : task.save())}
        >
          {isOne ? t('transfer.save') : t(hasNoPlace ? 'transfer.saveEach' : 'transfer.saveAll')}
        </Button>
      </Group>
    </>
  );
}

/**
 * Files that exist only in this page would be lost with it. A few are saved without a click. Until all files
 * are saved, the browser asks before the page is closed.
 */
function useSaveOnce(task: SaveTask, isFew: boolean): void {
  useEffect(() => {
    if (isFew) task.startOnce();
    const askFirst = (event: BeforeUnloadEvent) => {
      if (!task.snapshot().isSaved) event.preventDefault();
    };
    window.addEventListener('beforeunload', askFirst);
    return () => window.removeEventListener('beforeunload', askFirst);
  }, [task, isFew]);
}
