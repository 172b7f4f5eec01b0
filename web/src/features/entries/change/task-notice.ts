/** The id of the notification that a task has started. It is hidden when the task ends. */
export function noticeOfTask(id: number): string {
  return `task ${id}`;
}
