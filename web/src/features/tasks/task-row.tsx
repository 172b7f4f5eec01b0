import { Button, Progress, Text, ThemeIcon } from '@mantine/core';
import {
  IconArrowsTransferDown,
  IconFileZip,
  IconPackageExport,
  IconPhotoSearch,
  IconSubtask,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { formatNumber, formatTime } from '../../messages/formats.ts';
import { currentLanguage } from '../../messages/i18n.ts';
import { When } from '../../ui/dates/when.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { useDrive } from '../drives/use-drive.ts';
import { extractAgain, takenNameOf } from './extract-again.ts';
import { isGoing, type TaskKind, type TaskState, type TaskView } from './task-view.ts';
import classes from './tasks.module.css';
import { useTaskTitle } from './use-task-title.ts';

const TASK_ICONS: Readonly<Record<TaskKind, typeof IconFileZip>> = {
  ARCHIVE: IconFileZip,
  EXTRACT: IconPackageExport,
  MEDIA_META: IconPhotoSearch,
  STORAGE_POLICY_MIGRATION: IconArrowsTransferDown,
  OTHER: IconSubtask,
};

const COLORS: Readonly<Record<TaskState, string>> = {
  waiting: 'gray',
  retrying: 'orange',
  running: 'blue',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
};

/** One task: what it does, its progress, and its actions. */
export function TaskRow({ task }: { task: TaskView }) {
  const title = useTaskTitle()(task);
  const Icon = TASK_ICONS[task.kind];
  const percent = task.state === 'running' ? task.percent : undefined;
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={40} radius="md" color={COLORS[task.state]}>
        <Icon size={22} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Text fw={500} className={classes.title}>
          {title}
        </Text>
        <StateLine task={task} />
        {task.state === 'running' && percent !== undefined && (
          <Progress mt={6} value={percent} aria-label={title} />
        )}
        {task.state === 'running' && percent === undefined && (
          <Progress.Root mt={6} aria-hidden>
            <Progress.Section value={100} animated withAria={false} />
          </Progress.Root>
        )}
        {task.state === 'failed' && <FailureMessage task={task} />}
        {task.state === 'done' && <Differences task={task} />}
      </div>
      <Act task={task} title={title} />
    </li>
  );
}

function StateLine({ task }: { task: TaskView }) {
  const { t } = useTranslation();
  const { state, nextAt, percent, files, createdAt, finishedAt } = task;
  const words = [
    state === 'retrying' && nextAt !== undefined
      ? t('tasks.retrying', { time: formatTime(nextAt) })
      : t(`tasks.${state === 'retrying' ? 'waiting' : state}`),
  ];
  if (state === 'running' && percent !== undefined) words.push(t('tasks.percent', { percent }));
  if (state === 'running' && files !== undefined && files.all > 0) {
    words.push(t('tasks.files', { done: formatNumber(files.done), count: files.all }));
  }
  return (
    <Text size="sm" c="dimmed">
      {words.join(' · ')}
      {state !== 'retrying' && (
        <>
          {' · '}
          <When iso={finishedAt ?? createdAt} />
        </>
      )}
    </Text>
  );
}

/**
 * Says why a task failed: the kind of failure in the user's language, and the service's message if it is in
 * that language.
 */
function FailureMessage({ task: { reason = 'OTHER', failureMessage } }: { task: TaskView }) {
  const { t } = useTranslation();
  const sentence = currentLanguage() === 'en' ? failureMessage : undefined;
  return (
    <Text size="sm" mt={4} className={classes.failureMessage}>
      {sentence ?? t(`tasks.reason.${reason}`)}
      {sentence !== undefined && (
        <Text span size="sm" c="dimmed" display="block">
          {t(`tasks.reason.${reason}`)}
        </Text>
      )}
    </Text>
  );
}

/** Lists the names that an extraction changed, because the user might not notice otherwise. */
function Differences({ task: { differences, examples } }: { task: TaskView }) {
  const { t } = useTranslation();
  const { renamed, leftOut, replaced } = differences;
  if (renamed + leftOut + replaced === 0) return null;
  return (
    <Text size="sm" mt={4} className={classes.failureMessage}>
      {leftOut > 0 && `${t('tasks.leftOut', { count: leftOut })} `}
      {renamed > 0 && `${t('tasks.renamed', { count: renamed })} `}
      {replaced > 0 && t('tasks.replaced', { count: replaced })}
      <Text span size="sm" c="dimmed" display="block">
        {examples
          .map(({ name, newName }) =>
            newName === undefined ? t('tasks.example', { name }) : t('tasks.renamedTo', { name, newName }),
          )
          .join(' ')}
      </Text>
    </Text>
  );
}

function Act({ task, title }: { task: TaskView; title: string }) {
  const { t } = useTranslation();
  const { id: drive, can } = useDrive();
  const canEdit = can('EDIT');
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (way: 'cancel' | 'retry') =>
      way === 'cancel'
        ? ask('DELETE /api/v2/tasks/{id}', { path: { id: task.id }, drive })
        : ask('POST /api/v2/tasks/{id}/retry', { path: { id: task.id }, drive }),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEYS.tasks() }),
  });
  if (isGoing(task)) {
    if (!canEdit) return null;
    return (
      <Button
        variant="default"
        mih="var(--tap-size)"
        loading={change.isPending}
        aria-label={t('tasks.cancelOf', { title })}
        onClick={() => change.mutate('cancel')}
      >
        {t('tasks.cancel')}
      </Button>
    );
  }
  const takenName = takenNameOf(task);
  if (takenName !== undefined && canEdit) {
    return (
      <Button
        variant="default"
        mih="var(--tap-size)"
        aria-label={t('tasks.decideOf', { title })}
        onClick={() => void extractAgain(queryClient, drive, task, takenName)}
      >
        {t('tasks.decide')}
      </Button>
    );
  }
  if (task.state === 'failed') {
    if (!canEdit) return null;
    return (
      <Button
        variant="default"
        mih="var(--tap-size)"
        loading={change.isPending}
        aria-label={t('tasks.retryOf', { title })}
        onClick={() => change.mutate('retry')}
      >
        {t('tasks.retry')}
      </Button>
    );
  }
  const { place } = task;
  if (task.state !== 'done' || place === undefined || task.kind === 'MEDIA_META') return null;
  return (
    <Button
      variant="default"
      mih="var(--tap-size)"
      aria-label={t('tasks.showOf', { title })}
      renderRoot={(props) => <Link {...toDirectory(place)} {...props} />}
    >
      {t('tasks.show')}
    </Button>
  );
}
