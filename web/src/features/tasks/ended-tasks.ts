import { isGoing, type TaskView } from './task-view.ts';

type ListedTask = Pick<TaskView, 'id' | 'userId' | 'state'>;

/** Finds the tasks that have ended between two lists of the newest tasks of a drive. */
export class EndedTasks {
  #going: ReadonlySet<number> = new Set();
  #newestId: number | undefined;
  readonly #taken = new Set<number>();

  /**
   * @param isOwn whether the user has created the task; tasks of other members are left out
   * @param queued the tasks that this page has queued
   * @returns each task once
   */
  take<Task extends ListedTask>(
    tasks: readonly Task[],
    isOwn: (task: Task) => boolean,
    queued: ReadonlyMap<number, unknown>,
  ): readonly Task[] {
    const newestId = this.#newestId;
    // A short task may start and end between two requests for the list.
    const isNew = (id: number) => newestId !== undefined && id > newestId;
    const isWatched = ({ id }: Task) => this.#going.has(id) || isNew(id) || queued.has(id);
    const ended = tasks.filter(
      (task) => isOwn(task) && isWatched(task) && !isGoing(task) && !this.#taken.has(task.id),
    );
    this.#newestId = Math.max(newestId ?? 0, ...tasks.map(({ id }) => id));
    this.#going = new Set(tasks.filter(isGoing).map(({ id }) => id));
    // The user may retry a task that has failed.
    for (const id of this.#going) this.#taken.delete(id);
    for (const { id } of ended) this.#taken.add(id);
    return ended;
  }
}
