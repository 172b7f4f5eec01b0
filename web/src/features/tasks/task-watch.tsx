import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { useUser } from '../../api/use-session.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { notify } from '../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';
import { useCanEdit, useDriveId, useIsLost } from '../drives/use-drive.ts';
import { forgetTasks, useQueuedTasks } from '../entries/change/queued-tasks.ts';
import { noticeOfTask } from '../entries/change/task-notice.ts';
import { type DirectoryPlace, findEntry } from '../entries/find-entry.ts';
import { EndedTasks } from './ended-tasks.ts';
import { extractAgain, takenNameOf } from './extract-again.ts';
import type { TaskView } from './task-view.ts';
import { useLatestTasks } from './use-running-tasks.ts';
import { useTaskTitle } from './use-task-title.ts';

/**
 * Notifies the user when one of their tasks has ended, in the shown drive or in one where this page has
 * queued a task. Renders nothing.
 */
export function TaskWatch() {
  const drives = new Set([useDriveId(), ...useQueuedTasks().values()]);
  return Array.from(drives, (drive) => <DriveTaskWatch key={driveKey(drive)} drive={drive} />);
}

function DriveTaskWatch({ drive }: { readonly drive: DriveId }) {
  const { id: userId } = useUser();
  const shown = useDriveId();
  const isOnPage = useLocation({ select: ({ pathname }) => pathname === '/tasks' }) && shown === drive;
  const tasks = useLatestTasks(drive);
  const queued = useQueuedTasks();
  const notifyDone = useNotifyDone(drive);
  const notifyFailed = useNotifyFailed(drive);
  const watch = useRef(new EndedTasks());
  useForgottenTasks(drive, tasks);
  useEffect(() => {
    if (tasks === undefined) return;
    const ended = watch.current.take(tasks, (task) => task.userId === userId, queued);
    forgetTasks(ended.map(({ id }) => id));
    for (const task of ended) {
      // The tasks page already shows the result.
      notifications.hide(noticeOfTask(task.id));
      if (isOnPage) continue;
      if (task.state === 'done') notifyDone(task);
      else if (task.state === 'failed') notifyFailed(task);
    }
  }, [tasks, queued, userId, isOnPage, notifyDone, notifyFailed]);
  return null;
}

/** Stops watching the tasks of a lost drive, and tasks that are no longer among the newest. */
function useForgottenTasks(drive: DriveId, tasks: readonly TaskView[] | undefined): void {
  const queued = useQueuedTasks();
  const isLost = useIsLost(drive);
  useEffect(() => {
    const newest = Math.max(0, ...(tasks ?? []).map(({ id }) => id));
    const isGone = (id: number) => id < newest && tasks?.some((task) => task.id === id) === false;
    const ofDrive = Array.from(queued).filter(([, each]) => each === drive);
    forgetTasks(ofDrive.map(([id]) => id).filter((id) => isLost || isGone(id)));
  }, [drive, tasks, queued, isLost]);
}

/** Reports that a task has succeeded, with a button that shows the result. */
function useNotifyDone(drive: DriveId): (task: TaskView) => void {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
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
  await navigate(toDirectory(directory, { drive, select: found?.id }));
}

/** Reports a failed task. If a name was taken, a user who may edit can decide about it immediately. */
function useNotifyFailed(drive: DriveId): (task: TaskView) => void {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const canEdit = useCanEdit();
  return useCallback(
    (task) => {
      const message = t('tasks.noticeFailed', { title: titleOf(task) });
      const name = takenNameOf(task);
      if (name === undefined || !canEdit(drive))
        notifyWithAction(
          message,
          t('drive.showTasks'),
          () => void navigate({ to: '/tasks', search: { drive } }),
          { kind: 'failure' },
        );
      else
        notifyWithAction(
          message,
          t('tasks.decide'),
          () => void extractAgain(queryClient, drive, task, name),
          { kind: 'failure' },
        );
    },
    [t, titleOf, drive, canEdit, queryClient, navigate],
  );
}
