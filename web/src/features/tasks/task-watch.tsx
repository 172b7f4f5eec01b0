import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../ui/tell.ts';
import { isGoing } from './task-view.ts';
import { useLatestTasks } from './use-running-tasks.ts';
import { useTaskTitle } from './use-task-title.ts';

/** Notifies the user when one of their tasks has ended. Renders nothing. */
export function TaskWatch() {
  const { t } = useTranslation();
  const titleOf = useTaskTitle();
  const isOnPage = useLocation({ select: ({ pathname }) => pathname === '/tasks' });
  const tasks = useLatestTasks();
  const going = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    if (tasks === undefined) return;
    const ended = tasks.filter((task) => going.current.has(task.id) && !isGoing(task));
    going.current = new Set(tasks.filter(isGoing).map(({ id }) => id));
    if (isOnPage) return;
    for (const task of ended) {
      if (task.state === 'done') tell(t('tasks.toldDone', { title: titleOf(task) }));
      else if (task.state === 'failed') tell(t('tasks.toldFailed', { title: titleOf(task) }));
    }
  }, [tasks, isOnPage, t, titleOf]);
  return null;
}
