import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import type { Page, TaskRecord } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { isGoing, type TaskView, viewOf } from './task-view.ts';

const LATEST = 50;
const RUNNING_MS = 1_500;
/** Somebody may begin a task elsewhere, and no event tells of it. */
const IDLE_MS = 60_000;

/** How often to ask again. Nobody asks while nobody looks: that is the query client's doing. */
export function pollingOf(tasks: readonly TaskRecord[] | undefined): number {
  return tasks?.some((task) => isGoing(viewOf(task))) ? RUNNING_MS : IDLE_MS;
}

/** The newest tasks that somebody has asked for. */
export function useLatestTasks(): readonly TaskView[] | undefined {
  const { data } = useQuery({
    queryKey: [...KEYS.tasks(), 'latest'],
    queryFn: ({ signal }) =>
      ask<Page<TaskRecord>>('GET', '/api/v2/tasks', { query: { size: LATEST }, signal }),
    refetchInterval: ({ state }) => pollingOf(state.data?.items),
  });
  return data?.items.map(viewOf).filter(({ isAutomatic }) => !isAutomatic);
}

/** How many tasks that somebody has asked for are not done. */
export function useRunningTasks(): number {
  return useLatestTasks()?.filter(isGoing).length ?? 0;
}
