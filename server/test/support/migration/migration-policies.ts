import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { SECOND } from '../../../src/base/clock.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { JobFailure } from '../../../src/tasks/engine/job.ts';
import { type Holdall, startHoldall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import {
  addPolicy,
  assertNothingLeft,
  GRACE_MS,
  type MigrationParts,
  openMigrations,
  TestTask,
} from './migration.ts';

/** Starts a service with two policies, and a person who has files of several sizes in the first one. */
export async function openPolicies(sizes: readonly number[] = [0, 1, 10_000, 300_000]) {
  // Tests advance the clock by days, and run the migration tasks themselves.
  const env = { HOLDALL_ACCESS_TOKEN_TTL: '10d', HOLDALL_WORKER_CONCURRENCY: '0' };
  const holdall = await startHoldall({ env });
  const source = (await holdall.app.policies.getDefault()).id;
  const target = await addPolicy(holdall);
  const alice = await holdall.register('alice');
  const files: { file: EntryRecord; bytes: Buffer<ArrayBuffer> }[] = [];
  for (const [index, size] of sizes.entries()) {
    const bytes = randomBytes(size);
    files.push({ file: await alice.upload(`/file-${index}`, bytes), bytes });
  }
  const tasks: TestTask[] = [];
  const begin = (input = { sourcePolicyId: source, targetPolicyId: target }, id?: number) => {
    const task = new TestTask(input, id);
    tasks.push(task);
    return { task, attempt: task.begin(holdall) };
  };
  const open = (parts: Partial<MigrationParts> = {}) => openMigrations(holdall, () => tasks, parts);
  const checkFiles = () => checkDownloads(alice, files);
  return { holdall, source, target, alice, files, begin, open, checkFiles };
}

async function checkDownloads(person: Person, files: readonly { file: EntryRecord; bytes: Buffer }[]) {
  for (const { file, bytes } of files) assert.ok((await person.download(file)).equals(bytes), file.filename);
}

/** Lets the grace time pass and removes the leftover objects. */
export async function endGrace(
  holdall: Holdall,
  { removeLeftovers }: ReturnType<typeof openMigrations>,
): Promise<void> {
  holdall.clock.advance(GRACE_MS + SECOND);
  await removeLeftovers();
  await assertNothingLeft(holdall);
}

export async function failureOf(run: Promise<void>): Promise<JobFailure> {
  const error: unknown = await run.then(
    () => assert.fail('nothing failed'),
    (reason) => reason,
  );
  assert.ok(error instanceof JobFailure, String(error));
  return error;
}
