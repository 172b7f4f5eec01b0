/** The id of the notification that a task has begun, which ends with the task. */
export function noticeOfTask(id: number): string {
  return `task ${id}`;
}
