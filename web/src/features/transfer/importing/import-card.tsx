import { Alert, Button, Group, Paper, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf, toDirectory } from '../../../common/names/drive-paths.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { CardHeading } from '../progress/card-heading.tsx';
import { textForError } from '../progress/ending-text.ts';
import { FileProgress } from '../progress/file-progress.tsx';
import { setCurrentImport, useCurrentImport, useImportState } from './current-import.ts';
import type { DriveImport, ImportedFile, ImportState } from './drive-import.ts';
import { startAwake } from './import-button.tsx';

/** The import into the drive, if there is one: its progress and its failures. */
export function ImportCard() {
  const present = useCurrentImport();
  return present === undefined ? null : <Card present={present} />;
}

function Card({ present }: { readonly present: DriveImport }) {
  const { t } = useTranslation();
  const state = useImportState(present);
  const { count, isRunning } = state;
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once for each import
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [present]);
  const left = count.failed + count.waiting;
  return (
    <Paper
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      component="section"
      aria-label={t('transfer.importTitle')}
      ref={card}
    >
      <Stack gap="lg">
        <Heading state={state} target={present.target} />
        {!isRunning && count.failed > 0 && (
          <Alert
            color="red"
            role="alert"
            icon={<IconAlertCircle aria-hidden />}
            title={t('transfer.importFailed', { count: count.failed, number: formatNumber(count.failed) })}
          >
            {t('transfer.importFailedHint')}
          </Alert>
        )}
        <FileProgress
          progress={state}
          isMoving={isRunning}
          noteOf={(index) => noteOf(state.files[index], t)}
          isDone={(index) => state.files[index]?.status === 'done'}
        />
        <Group justify="flex-end" gap="xs">
          {isRunning && (
            <Button h={40} variant="default" onClick={() => present.cancel()}>
              {t('common.cancel')}
            </Button>
          )}
          {!isRunning && (
            <Button h={40} variant="default" onClick={() => setCurrentImport(undefined)}>
              {t('common.close')}
            </Button>
          )}
          {!isRunning && left > 0 && (
            <Button h={40} variant="default" onClick={() => void startAwake(present)}>
              {t(count.failed > 0 ? 'common.tryAgain' : 'transfer.importRest')}
            </Button>
          )}
          {!isRunning && count.done > 0 && (
            <Button
              h={40}
              renderRoot={(root) => (
                <Link {...toDirectory(present.target.directory, { drive: present.target.drive })} {...root} />
              )}
            >
              {t('transfer.importOpen')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function Heading({ state, target }: { readonly state: ImportState; readonly target: DirectoryPlace }) {
  const { t } = useTranslation();
  const { count, isRunning, files } = state;
  const driveName = useDriveName(target.drive);
  const folder = nameOf(target.directory) || driveName;
  const isWhole = count.failed === 0 && count.waiting === 0;
  const words = isRunning
    ? t('transfer.importing', { folder })
    : !isWhole
      ? t('transfer.importStopped')
      : t(count.done > 0 ? 'transfer.imported' : 'transfer.importNothing', {
          count: count.done,
          number: formatNumber(count.done),
          folder,
        });
  return (
    <CardHeading
      isBusy={isRunning}
      isDone={!isRunning && isWhole && count.done > 0}
      title={words}
      amount={t('transfer.importCount', {
        done: formatNumber(count.done),
        count: files.length,
        number: formatNumber(files.length),
      })}
    />
  );
}

function noteOf(
  file: ImportedFile | undefined,
  t: TFunction,
): { readonly text: string; readonly isFault: boolean } | undefined {
  if (file?.status === 'failed') return { text: textForError(file.error), isFault: true };
  if (file?.status === 'skipped') return { text: t('transfer.importSkipped'), isFault: false };
  return undefined;
}
