import { Progress, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../messages/formats.ts';
import classes from '../transfer.module.css';
import { formatDuration } from './durations.ts';
import { FileList } from './file-list.tsx';

/** The progress of several files. */
interface Progressing {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** The completed bytes of each file. */
  readonly done: readonly number[];
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number | undefined;
}

/** A note about a file, shown in addition to its progress. */
interface Note {
  readonly text: string;
  readonly isFault: boolean;
}

interface FileProgressProps {
  readonly progress: Progressing;
  readonly isMoving: boolean;
  /** Whether everything is done. Without it, empty files could not count as done. */
  readonly isWhole?: boolean;
  /** Whether a file is done. By default, once all its bytes are done. */
  readonly isDone?: (index: number) => boolean;
  readonly noteOf?: (index: number) => Note | undefined;
}

/** Progress in total and per file. */
export function FileProgress({ progress, isMoving, isWhole = false, isDone, noteOf }: FileProgressProps) {
  const { t } = useTranslation();
  const { files, doneBytes, totalBytes, bytesPerSecond } = progress;
  const percent = totalBytes === 0 ? (isWhole ? 100 : 0) : Math.floor((100 * doneBytes) / totalBytes);
  const speed = isMoving && bytesPerSecond ? bytesPerSecond : undefined;
  // No bytes show that an empty file has arrived. It counts as done once the files before it are done.
  const firstOpen = files.findIndex(({ size }, index) => (progress.done[index] ?? 0) < size);
  const isListed = files.length > 1 || noteOf?.(0) !== undefined;
  return (
    <Stack gap="xs">
      {/* Constant animation would take processor time from the transfer. */}
      <Progress value={percent} size="lg" transitionDuration={0} aria-label={t('transfer.progress')} />
      <div className={classes.figures}>
        <Text size="sm" component="span">
          {t('transfer.amount', { done: formatBytes(doneBytes), total: formatBytes(totalBytes) })}
        </Text>
        <Text size="sm" component="span" c="dimmed">
          {speed !== undefined && (
            <>
              {t('transfer.speed', { speed: formatBytes(Math.round(speed)) })}
              {' · '}
              {t('transfer.timeLeft', { time: formatDuration((totalBytes - doneBytes) / speed) })}
            </>
          )}
        </Text>
      </div>
      {isListed && (
        <FileList aria-label={t('transfer.files')}>
          {files.map(({ path, size }, index) => {
            const done = progress.done[index] ?? 0;
            const isPart = done > 0 && done < size;
            const note = noteOf?.(index);
            return (
              <FileRow
                key={path}
                path={path}
                size={size}
                done={done}
                isDone={isDone?.(index) ?? (firstOpen < 0 || index < firstOpen || (size > 0 && done >= size))}
                timeLeft={isPart && speed !== undefined ? formatDuration((size - done) / speed) : undefined}
                note={note?.text}
                isFault={note?.isFault === true}
              />
            );
          })}
        </FileList>
      )}
    </Stack>
  );
}

/** Memoised, because few of a thousand rows change at a time. */
const FileRow = memo(function FileRow(row: {
  readonly path: string;
  readonly size: number;
  readonly done: number;
  readonly isDone: boolean;
  readonly timeLeft: string | undefined;
  readonly note: string | undefined;
  readonly isFault: boolean;
}) {
  const { t } = useTranslation();
  const { path, size, done, isDone, timeLeft, note, isFault } = row;
  return (
    <li className={classes.file}>
      <div className={classes.path}>
        <Text size="sm" component="span" display="block">
          {path}
        </Text>
        {note !== undefined && (
          <Text size="xs" component="span" c={isFault ? 'var(--mantine-color-error)' : 'dimmed'}>
            {note}
          </Text>
        )}
      </div>
      <span className={classes.amount}>
        {done > 0 && !isDone
          ? t('transfer.amount', { done: formatBytes(done), total: formatBytes(size) })
          : formatBytes(size)}
        {timeLeft !== undefined && ` · ${t('transfer.timeLeft', { time: timeLeft })}`}
      </span>
      {isDone && <IconCheck size={18} role="img" aria-label={t('transfer.fileDone')} />}
    </li>
  );
});
