import { useQuery } from '@tanstack/react-query';
import type { TaskRecord } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { useDriveId } from '../drives/use-drive.ts';
import { isGoing, type TaskView, viewOf } from './task-view.ts';

const LATEST = 50;
const RUNNING_MS = 1_500;
/** Polled even without running tasks, because no event reports a task that was created elsewhere. */
const IDLE_MS = 60_000;

/** The polling interval. The query client stops polling while the page is hidden. */
export function pollingOf(tasks: readonly TaskRecord[] | undefined): number {
  return tasks?.some((task) => isGoing(viewOf(task))) ? RUNNING_MS : IDLE_MS;
}

/** The newest tasks of a drive, which all members of a shared drive see. */
export function useLatestTasks(drive: DriveId): readonly TaskView[] | undefined {
  const key = driveKey(drive);
  const { data } = useQuery({
    ...queryOf([...KEYS.tasks(key), 'latest'], 'GET /api/v2/tasks', { query: { size: LATEST }, drive }),
    refetchInterval: ({ state }) => pollingOf(state.data?.items),
  });
  return data?.items.map(viewOf).filter(({ isAutomatic }) => !isAutomatic);
}

/** The number of tasks of the shown drive that have not ended. */
export function useRunningTasks(): number {
  return useLatestTasks(useDriveId())?.filter(isGoing).length ?? 0;
}
