// tier: full
// needs: disk
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { send, WatchedSource } from '../support/storage/byte-sources.ts';

describe('the local disk store', () => {
  let root: string;
  let store: LocalDiskStore;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdall-store-'));
    store = new LocalDiskStore(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('leaves no descriptor open after a thousand operations, many of them interrupted', async () => {
    await operate(50);
    // A destroyed stream closes its file asynchronously.
    const before = await countSettled();
    await operate(1_000);
    for (let wait = 0; wait < 1_500 && (await countDescriptors()) > before; wait += 1) await sleep(20);
    assert.ok((await countDescriptors()) <= before);
    assert.deepEqual(await readdir(path.join(root, '.incoming')), []);
  });

  /** The number of descriptors when it has not changed for a moment. */
  async function countSettled(): Promise<number> {
    for (;;) {
      const count = await countDescriptors();
      await sleep(100);
      if ((await countDescriptors()) === count) return count;
    }
  }

  async function operate(times: number): Promise<void> {
    await store.write('leak/read', send(randomBytes(700_000)));
    const numbers = Array.from({ length: times }, (_, index) => index).values();
    const worker = async () => {
      for (const number of numbers) await OPERATIONS[number % OPERATIONS.length]?.(store, number);
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
  }
});

type Operation = (store: LocalDiskStore, number: number) => Promise<unknown>;

const OPERATIONS: readonly Operation[] = [
  (store, number) => store.write(`leak/${number}`, send(randomBytes(4_096))),
  (store, number) => store.write(`leak/${number}`, send(...Array(20).fill(randomBytes(65_536)))),
  (store, number) => {
    const signal = AbortSignal.timeout(randomInt(1, 6));
    const source = new WatchedSource(Array(12).fill(randomBytes(65_536)), () => sleep(10));
    return assert.rejects(store.write(`leak/${number}`, source, { signal }));
  },
  (store, number) => {
    const fault = () => Promise.reject(new Error('gone'));
    return assert.rejects(store.write(`leak/${number}`, new WatchedSource([randomBytes(900_000)], fault)));
  },
  (store, number) =>
    assert.rejects(
      store.write(`leak/${number}`, send(randomBytes(900_000), randomBytes(1)), { maxBytes: 900_000 }),
    ),
  async (store) => (await store.open('leak/read')).destroy(),
  async (store) => {
    for await (const _chunk of await store.open('leak/read')) break;
  },
  async (store) => buffer(await store.open('leak/read', { start: 5, end: 600_000 })),
  (store) => assert.rejects(store.open('leak/read', { start: 0, end: 700_000 })),
  (store) => assert.rejects(store.read('leak/read', { start: 0, end: 700_000 })),
  (store) => assert.rejects(store.open('leak')),
  (store, number) => store.remove([`leak/${number - 10}`, `leak/${number - 9}`]),
  async (store) => {
    for await (const _object of store.list('leak')) break;
  },
];

async function countDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}
