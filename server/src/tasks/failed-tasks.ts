import type { Tx } from '../database/database.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Task } from './engine/task.ts';

/** Whether its account is told if the task fails for good. No one has asked for automatic tasks. */
export function isTold({ accountId, isAutomatic }: Task): boolean {
  return accountId !== null && !isAutomatic;
}

/** Tells the accounts whose tasks have failed for good. */
export async function tellFailed(
  notifications: Notifications,
  tx: Tx,
  tasks: readonly Task[],
): Promise<void> {
  for (const task of tasks) {
    const { id: taskId, type, driveId, accountId, errorMessage } = task;
    if (accountId === null || !isTold(task)) continue;
    const data = { taskId, type, driveId, error: errorMessage ?? '' };
    await notifications.notify(tx, [accountId], { kind: 'TASK_FAILED', data });
  }
}
