import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import type { Attempt, Job, TaskType } from '../../../src/tasks/engine/job.ts';
import type { Listing, Person } from '../app/person.ts';

export const TASKS = '/api/v2/tasks';

const NAMES = { ARCHIVE: 'archive', EXTRACT: 'extract', MEDIA_META: 'media-metadata' } as const;
const MAX_WAIT_MS = 120_000;

/** Queues a task for an entry. The default type is ARCHIVE, which accepts every entry. */
export function queueTask(
  person: Person,
  entry: Pick<EntryRecord, 'id' | 'path'>,
  {
    type = 'ARCHIVE',
    ...body
  }: {
    type?: keyof typeof NAMES;
    correlationId?: string;
    onConflict?: string;
    folder?: string;
    into?: string;
    entries?: readonly string[];
  } = {},
): Promise<TaskRecord> {
  return person.ask('POST', `${TASKS}/${NAMES[type]}`, {
    body: { fileId: entry.id, path: entry.path, ...body },
  });
}

export function getTask(person: Person, { id }: { id: number }): Promise<TaskRecord> {
  return person.ask('GET', `${TASKS}/${id}`);
}

export function cancelTask(person: Person, { id }: { id: number }): Promise<TaskRecord> {
  return person.ask('DELETE', `${TASKS}/${id}`);
}

export function retryTask(person: Person, { id }: { id: number }): Promise<TaskRecord> {
  return person.ask('POST', `${TASKS}/${id}/retry`);
}

export function listTasks(person: Person, query = ''): Promise<Listing<TaskRecord>> {
  return person.ask('GET', `${TASKS}${query}`);
}

/** Polls until the condition holds; throws after two minutes, or after the given time. */
export async function waitFor<T>(
  read: () => Promise<T> | T,
  isDone: (seen: T) => boolean,
  what = 'it',
  maxMs = MAX_WAIT_MS,
): Promise<T> {
  const until = Date.now() + maxMs;
  for (;;) {
    const seen = await read();
    if (isDone(seen)) return seen;
    assert.ok(Date.now() < until, `timed out waiting for ${what}: ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}

export function waitForStatus(
  person: Person,
  task: { id: number },
  status: string,
  maxMs = MAX_WAIT_MS,
): Promise<TaskRecord> {
  return waitFor(
    () => getTask(person, task),
    (seen) => seen.status === status,
    `the status ${status}`,
    maxMs,
  );
}

/** A job that runs the function that the test sets with `does`. */
export class ScriptedJob implements Job {
  readonly type: TaskType;
  readonly phase = 'archiving';
  readonly attempts: Attempt[] = [];
  #script: (attempt: Attempt) => Promise<void> = async () => {};

  constructor(type: TaskType = 'ARCHIVE') {
    this.type = type;
  }

  does(script: (attempt: Attempt) => Promise<void>): void {
    this.#script = script;
  }

  run(attempt: Attempt): Promise<void> {
    this.attempts.push(attempt);
    return this.#script(attempt);
  }

  /** Waits for the next run that starts after this call. */
  async next(): Promise<Attempt> {
    const count = this.attempts.length;
    await waitFor(
      () => this.attempts.length,
      (length) => length > count,
      'a run',
    );
    return this.attempts[count] as Attempt;
  }
}

/** Resolves when the signal of the attempt aborts. */
export function untilAborted({ signal }: Attempt): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
