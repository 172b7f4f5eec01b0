import { availableParallelism } from 'node:os';

interface QueueTask {
  /** Longest first: a long task that starts last would leave the other cores idle. */
  readonly expectedSeconds: number;
  /** Resolves when the task can start. Until then, others go first. */
  readonly ready: Promise<unknown>;
  run(): Promise<void>;
}

/** One more than the number of cores, because most test files spend some time waiting. */
export const MAX_RUNNING_TASKS = availableParallelism() + 1;

/** Runs all tasks, `MAX_RUNNING_TASKS` at a time. No further task starts after the signal. */
export async function runQueue(tasks: readonly QueueTask[], signal?: AbortSignal): Promise<void> {
  const waiting = tasks.toSorted((one, other) => other.expectedSeconds - one.expectedSeconds);
  const ready = new Set<QueueTask>();
  for (const task of waiting) {
    const add = () => ready.add(task);
    void task.ready.then(add, add);
  }
  const work = async () => {
    while (waiting.length > 0 && signal?.aborted !== true) {
      const index = waiting.findIndex((task) => ready.has(task));
      const [task] = index === -1 ? [] : waiting.splice(index, 1);
      if (task === undefined) await Promise.any(waiting.map((one) => one.ready.catch(() => {})));
      else await task.run();
    }
  };
  await Promise.all(Array.from({ length: MAX_RUNNING_TASKS }, work));
}
