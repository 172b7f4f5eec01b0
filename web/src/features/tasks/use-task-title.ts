import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskState, TaskView } from './task-view.ts';

const TENSES: Readonly<Record<TaskState, 'wish' | 'doing' | 'done'>> = {
  waiting: 'wish',
  retrying: 'wish',
  running: 'doing',
  done: 'done',
  failed: 'wish',
  cancelled: 'wish',
};

/** A short description of what a task does or did. */
export function useTaskTitle(): (task: TaskView) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ kind, state, name }: TaskView) =>
      t(`tasks.${kind}.${TENSES[state]}`, { name: name ?? t('tasks.nameless') }),
    [t],
  );
}
