import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';
import { extractAgain, takenNameOf } from './extract-again.ts';
import { isGoing, type TaskView } from './task-view.ts';
import { useLatestTasks } from './use-running-tasks.ts';
import { useTaskTitle } from './use-task-title.ts';

/** Notifies the user when one of their tasks has ended. Renders nothing. */
export function TaskWatch() {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const isOnPage = useLocation({ select: ({ pathname }) => pathname === '/tasks' });
  const tasks = useLatestTasks();
  const notifyFailed = useNotifyFailed();
  const going = useRef<ReadonlySet<number>>(new Set());
  const newestId = useRef<number>(undefined);
  useEffect(() => {
    if (tasks === undefined) return;
    // A short task is created and ends between two requests for the list.
    const isNew = (id: number) => newestId.current !== undefined && id > newestId.current;
    const ended = tasks.filter((task) => (going.current.has(task.id) || isNew(task.id)) && !isGoing(task));
    newestId.current = Math.max(newestId.current ?? 0, ...tasks.map(({ id }) => id));
    going.current = new Set(tasks.filter(isGoing).map(({ id }) => id));
    if (isOnPage) return;
    for (const task of ended) {
      if (task.state === 'done') notify(t('tasks.noticeDone', { title: titleOf(task) }));
      else if (task.state === 'failed') notifyFailed(task);
    }
  }, [tasks, isOnPage, t, titleOf, notifyFailed]);
  return null;
}

/** Reports a failed task. If a taken name is the reason, the user can decide about it immediately. */
function useNotifyFailed(): (task: TaskView) => void {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const queryClient = useQueryClient();
  return useCallback(
    (task) => {
      const message = t('tasks.noticeFailed', { title: titleOf(task) });
      const name = takenNameOf(task);
      if (name === undefined) notify(message);
      else notifyWithAction(message, t('tasks.decide'), () => void extractAgain(queryClient, task, name));
    },
    [t, titleOf, queryClient],
  );
}
