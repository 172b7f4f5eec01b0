import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange } from '../../../src/base/bytes/byte-range.ts';
import { Failure, type FailureKind } from '../../../src/base/failure.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';

/** A function, because the store does not exist yet when the tests are defined. */
export type GetStore = () => ObjectStore;

export const MIB = 1024 * 1024;

/** An invalid key or range is a bug, so the error must be a plain `Error` and not a `Failure`. */
export async function assertPlainError(answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error) => error instanceof Error && !(error instanceof Failure));
}

export async function assertMissing(store: ObjectStore, key: string): Promise<void> {
  assert.equal(await store.find(key), undefined);
  assert.equal((await failureOf(store.open(key))).kind, 'not-found' satisfies FailureKind);
  assert.deepEqual(await listAll(store, key), []);
}

export async function failureOf(answer: Promise<unknown>): Promise<Failure> {
  const error = await answer.then(
    () => assert.fail('nothing failed'),
    (reason) => reason,
  );
  assert.ok(error instanceof Failure, `not a Failure: ${error}`);
  return error;
}

export async function readAll(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return await buffer(await store.open(key, range));
}

export async function closed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
}

export async function listAll(store: ObjectStore, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of store.list(prefix)) found.push(object);
  return found;
}

/** A `findClaimed` that claims no unfinished upload. */
export async function claimNothing(): Promise<readonly string[]> {
  return [];
}
