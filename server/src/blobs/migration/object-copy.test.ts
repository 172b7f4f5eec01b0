// tier: default
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { ByteCounter } from '../../base/bytes/byte-streams.ts';
import { Failure } from '../../base/failure.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { copyObject } from './object-copy.ts';

const BYTES = Buffer.from('the bytes');

/** A store with one object. It returns `readBack`, whatever was written. */
function makeStore(readBack = BYTES): ObjectStore {
  const store = {
    copyFrom: async () => false,
    open: async () => Readable.from([readBack]),
    write: async (_key: string, source: AsyncIterable<Uint8Array>) => digestOf(await buffer(source)),
  };
  // `copyObject` uses nothing else of a store.
  return store as unknown as ObjectStore;
}

function digestOf(bytes: Uint8Array) {
  const counter = new ByteCounter();
  counter.add(bytes);
  return counter.digest();
}

const copy = { blobId: 1, sourceKey: 'source', targetKey: 'target', size: BYTES.length };
const copyTo = (target: ObjectStore, sha256: string | null) =>
  copyObject(
    { source: makeStore(), target },
    { ...copy, sha256 },
    { signal: new AbortController().signal, onBytes: () => {} },
  );

for (const [what, sha256] of [
  ['a recorded', digestOf(BYTES).sha256],
  ['no recorded', null],
] as const) {
  test(`an object with ${what} checksum is copied`, async () => {
    assert.deepEqual(await copyTo(makeStore(), sha256), digestOf(BYTES));
  });

  test(`an object with ${what} checksum is not copied if other bytes are read back`, async () => {
    await assert.rejects(
      copyTo(makeStore(Buffer.from('THE BYTES')), sha256),
      (error) => error instanceof Failure && error.kind === 'rejected',
    );
  });
}

test('a copy that disappears before it is verified is made again', async () => {
  const target = makeStore();
  let opened = 0;
  const open = async () => {
    opened += 1;
    if (opened === 1) throw new Failure('not-found', 'There is no object target.');
    return Readable.from([BYTES]);
  };
  assert.deepEqual(await copyTo({ ...target, open } as ObjectStore, digestOf(BYTES).sha256), digestOf(BYTES));
  assert.equal(opened, 2);
});
