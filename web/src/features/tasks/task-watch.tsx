import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';
import { useDriveId } from '../drives/use-drive.ts';
import { noticeOfTask } from '../entries/change/task-notice.ts';
import { type DirectoryPlace, findEntry } from '../entries/find-entry.ts';
import { extractAgain, takenNameOf } from './extract-again.ts';
import { isGoing, type TaskView } from './task-view.ts';
import { useLatestTasks } from './use-running-tasks.ts';
import { useTaskTitle } from './use-task-title.ts';

/** Notifies the user when one of their tasks has ended. Renders nothing. */
export function TaskWatch() {
  const isOnPage = useLocation({ select: ({ pathname }) => pathname === '/tasks' });
  const tasks = useLatestTasks();
  const notifyDone = useNotifyDone();
  const notifyFailed = useNotifyFailed();
  const going = useRef<ReadonlySet<number>>(new Set());
  const newestId = useRef<number>(undefined);
  useEffect(() => {
    if (tasks === undefined) return;
    // A short task may start and end between two requests for the list.
    const isNew = (id: number) => newestId.current !== undefined && id > newestId.current;
    const ended = tasks.filter((task) => (going.current.has(task.id) || isNew(task.id)) && !isGoing(task));
    newestId.current = Math.max(newestId.current ?? 0, ...tasks.map(({ id }) => id));
    going.current = new Set(tasks.filter(isGoing).map(({ id }) => id));
    for (const task of ended) {
      // The tasks page already shows the result.
      notifications.hide(noticeOfTask(task.id));
      if (isOnPage) continue;
      if (task.state === 'done') notifyDone(task);
      else if (task.state === 'failed') notifyFailed(task);
    }
  }, [tasks, isOnPage, notifyDone, notifyFailed]);
  return null;
}

/** Reports that a task has succeeded, with a button that shows the result. */
function useNotifyDone(): (task: TaskView) => void {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const drive = useDriveId();
  const navigate = useNavigate();
  return useCallback(
    (task) => {
      const { archive, place, kind } = task;
      const message =
        archive === undefined
          ? t('tasks.noticeDone', { title: titleOf(task) })
          : t('tasks.noticeReady', { name: archive });
      if (place === undefined || (kind !== 'ARCHIVE' && kind !== 'EXTRACT')) return notify(message);
      notifyWithAction(
        message,
        t('tasks.showResult'),
        () => void showResult(navigate, { drive, directory: place }, archive),
      );
    },
    [t, titleOf, drive, navigate],
  );
}

/** Shows the folder of the result. Selects the archive, unless it is no longer there. */
async function showResult(
  navigate: ReturnType<typeof useNavigate>,
  place: DirectoryPlace,
  archive: string | undefined,
): Promise<void> {
  const found = archive === undefined ? undefined : await findEntry(place, archive).catch(() => undefined);
  const { drive, directory } = place;
  await navigate(toDirectory(directory, found === undefined ? { drive } : { drive, select: found.id }));
}

/** Reports a failed task. If a name was taken, the user can decide about it immediately. */
function useNotifyFailed(): (task: TaskView) => void {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const drive = useDriveId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (task) => {
      const message = t('tasks.noticeFailed', { title: titleOf(task) });
      const name = takenNameOf(task);
      if (name === undefined)
        notifyWithAction(
          message,
          t('drive.showTasks'),
          () => void navigate({ to: '/tasks', search: { drive } }),
        );
      else
        notifyWithAction(message, t('tasks.decide'), () => void extractAgain(queryClient, drive, task, name));
    },
    [t, titleOf, drive, queryClient, navigate],
  );
}
