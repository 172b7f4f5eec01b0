// tier: full
// needs: process
// The objects on a local disk after a power cut, see power-loss-disk.ts.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { send } from '../support/storage/byte-sources.ts';
import { PiecewiseWrite } from '../support/storage/contract/piecewise-write.ts';
import { PowerLossDisk } from '../support/storage/power-loss/power-loss-disk.ts';
import { claimNothing, MIB } from '../support/storage/store-assertions.ts';

describe(`after a power cut (seed ${SEED}), a local disk`, () => {
  let directory: string;
  let store: LocalDiskStore;
  let disk: PowerLossDisk;
  let cuts = 0;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'holdall-power-'));
    const root = path.join(directory, 'objects');
    store = new LocalDiskStore(root);
    await store.check();
    disk = new PowerLossDisk(root);
  });
  afterEach(async () => {
    disk.stop();
    await rm(directory, { recursive: true });
  });

  /** The store after a power cut that leaves only flushed data. */
  function cutPower(): LocalDiskStore {
    cuts += 1;
    const root = path.join(directory, `after-${cuts}`);
    disk.cut(root);
    return new LocalDiskStore(root);
  }

  for (const [what, size] of [
    ['an empty', 0],
    ['a small', 10],
    ['a large', 3 * MIB],
  ] as const) {
    it(`has ${what} object that was acknowledged`, async () => {
      const bytes = randomBytes(size);
      await store.write('new/place/object', send(bytes));
      await assertBytes(cutPower(), 'new/place/object', bytes);
    });

    it(`has a copy of ${what} object that was acknowledged`, async () => {
      const bytes = randomBytes(size);
      await store.write('a/source', send(bytes));
      await store.copy('a/source', 'b/copy');
      await assertBytes(cutPower(), 'b/copy', bytes);
    });
  }

  it('has the newer of two objects of the same key', async () => {
    await store.write('key', send(Buffer.from('old')));
    await store.write('key', send(Buffer.from('new')));
    await assertBytes(cutPower(), 'key', Buffer.from('new'));
  });

  it('has no object that was removed', async () => {
    await store.write('a/key', send(Buffer.from('bytes')));
    await store.remove(['a/key']);
    assert.equal(await cutPower().find('a/key'), undefined);
  });

  it('has the bytes of a resumable write up to the last reported point, and then all of them', async () => {
    const write = await PiecewiseWrite.begin(store, 'pieces', 3 * MIB);
    for (const size of [MIB, 100, undefined]) {
      await write.append(size);
      const left = cutPower();
      await left.resumable.append(write, write.point, send(write.next()), {
        signal: new AbortController().signal,
        newKey: () => 'tail',
        onPoint: async () => {},
      });
      await left.resumable.finish(write, { ...write.point, size: write.size });
      await assertBytes(left, write.key, write.bytes);
    }
    await write.finish();
    await assertBytes(cutPower(), write.key, write.bytes);
  });

  it('has whole objects only, whatever part of the unflushed writes and names it has', async () => {
    const random = new Random(SEED);
    const objects = new Map<string, Buffer>();
    const acknowledged: string[] = [];
    let isWriting = true;
    const write = async (lane: number) => {
      for (let index = 0; index < 10; index += 1) {
        const key = `tree/${lane}/${index}`;
        objects.set(key, randomBytes(index === lane ? MIB : 1 + index));
        await store.write(key, send(objects.get(key) ?? Buffer.alloc(0)));
        acknowledged.push(key);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(write)).finally(() => {
      isWriting = false;
    });
    const states: { readonly root: string; readonly expected: readonly string[] }[] = [];
    let unflushed = 0;
    while (isWriting && states.length < 50) {
      const root = path.join(directory, `state-${states.length}`);
      unflushed += disk.unflushedCount;
      disk.cut(root, states.length % 3 === 0 ? undefined : random);
      states.push({ root, expected: [...acknowledged] });
      await setImmediate();
    }
    await writing;
    assert.ok(states.length > 10 && unflushed > 0, `${states.length} states, ${unflushed} unflushed changes`);
    for (const { root, expected } of states) await checkState(root, expected);

    async function checkState(root: string, expected: readonly string[]): Promise<void> {
      const left = new LocalDiskStore(root);
      for (const key of expected) assert.ok(await left.find(key), `${key} was acknowledged`);
      for await (const { key } of left.list('')) await assertBytes(left, key, objects.get(key));
      await left.removeAbandonedWrites(Date.now() + 1_000, claimNothing);
      assert.deepEqual(await readdir(path.join(root, '.incoming')), []);
      await rm(root, { recursive: true });
    }
  });
});

async function assertBytes(
  store: LocalDiskStore,
  key: string,
  expected: Buffer = Buffer.alloc(0),
): Promise<void> {
  const bytes = await buffer(await store.open(key));
  // Has its own message, because the default one compares large buffers byte by byte, which takes minutes.
  assert.ok(bytes.equals(expected), `${key} has other bytes: ${bytes.length}, not ${expected.length}`);
}
