import { Progress, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../messages/formats.ts';
import type { TransferState } from '../session/transfer-state.ts';
import classes from '../transfer.module.css';
import { formatDuration } from './durations.ts';
import { FileList } from './file-list.tsx';

/** Progress in total and per file. */
export function TransferProgress({ state }: { readonly state: TransferState }) {
  const { t } = useTranslation();
  const { doneBytes, totalBytes, bytesPerSecond, phase } = state;
  const isMoving = phase === 'running' || phase === 'storing' || phase === 'fetching';
  const percent =
    totalBytes === 0 ? (phase === 'done' ? 100 : 0) : Math.floor((100 * doneBytes) / totalBytes);
  const speed = isMoving && bytesPerSecond ? bytesPerSecond : undefined;
  return (
    <Stack gap="xs">
      <Progress value={percent} size="lg" aria-label={t('transfer.progress')} animated={isMoving} />
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
      {state.files.length > 1 && (
        <FileList aria-label={t('transfer.files')}>
          {state.files.map(({ path, size }, index) => {
            const done = state.done[index] ?? 0;
            const isPart = done > 0 && done < size;
            const left = isPart && speed !== undefined ? formatDuration((size - done) / speed) : undefined;
            return <FileRow key={path} path={path} size={size} done={done} timeLeft={left} />;
          })}
        </FileList>
      )}
    </Stack>
  );
}

/** Memoised: of a thousand rows, few change at a time. */
const FileRow = memo(function FileRow(row: {
  readonly path: string;
  readonly size: number;
  readonly done: number;
  readonly timeLeft: string | undefined;
}) {
  const { t } = useTranslation();
  const { path, size, done, timeLeft } = row;
  const isWhole = size > 0 && done >= size;
  return (
    <li className={classes.file}>
      <Text size="sm" component="span" className={classes.path}>
        {path}
      </Text>
      <span className={classes.amount}>
        {done > 0 && !isWhole
          ? t('transfer.amount', { done: formatBytes(done), total: formatBytes(size) })
          : formatBytes(size)}
        {timeLeft !== undefined && ` · ${t('transfer.timeLeft', { time: timeLeft })}`}
      </span>
      {isWhole && <IconCheck size={18} role="img" aria-label={t('transfer.fileDone')} />}
    </li>
  );
});
