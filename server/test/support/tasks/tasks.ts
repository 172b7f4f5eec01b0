import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import type { Attempt, Job, TaskType } from '../../../src/tasks/engine/job.ts';
import type { Listing, Person } from '../app/person.ts';

export const TASKS = '/api/v2/tasks';

const NAMES = { ARCHIVE: 'archive', EXTRACT: 'extract', MEDIA_META: 'media-metadata' } as const;
const LONGEST_WAIT_MS = 60_000;

/** Makes a task about an entry; by itself an ARCHIVE, which takes every entry. */
export function queueTask(
  person: Person,
  entry: Pick<EntryRecord, 'id' | 'path'>,
  { type = 'ARCHIVE', ...body }: { type?: keyof typeof NAMES; correlationId?: string } = {},
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

/** Asks again and again until it is so. */
export async function waitFor<T>(
  look: () => Promise<T> | T,
  isSo: (seen: T) => boolean,
  what = 'it',
): Promise<T> {
  const until = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    assert.ok(Date.now() < until, `${what} did not come to be: ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}

export function waitForStatus(person: Person, task: { id: number }, status: string): Promise<TaskRecord> {
  return waitFor(
    () => getTask(person, task),
    (seen) => seen.status === status,
    `the status ${status}`,
  );
}

/** A job whose runs do what the test says. */
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

  /** The next run from now on that somebody begins. */
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

/** Resolves when the attempt is told to end. */
export function untilAborted({ signal }: Attempt): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
