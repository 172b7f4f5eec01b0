// tier: default
// needs: disk
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { systemClock } from '../../src/base/clock.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { NOTHING_WRITTEN } from '../../src/storage/resumable-writes.ts';
import { numberedBytes, send, WatchedSource } from '../support/storage/byte-sources.ts';
import { PiecewiseWrite } from '../support/storage/contract/piecewise-write.ts';
import {
  assertMissing,
  assertPlainError,
  claimNothing,
  failureOf,
  listAll,
  MIB,
} from '../support/storage/store-assertions.ts';

const FAULT = new Error('the point cannot be recorded');

describe('resumable writes on a local disk', () => {
  let root: string;
  let store: LocalDiskStore;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdall-pieces-'));
    store = new LocalDiskStore(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const partialOf = (key: string) => path.join(root, '.partial', key.replaceAll('/', '%2F'));

  it('collect the pieces in one unlisted file, and rename it to the key at the end', async () => {
    const write = await PiecewiseWrite.begin(store, 'moved', 10);
    assert.equal((await stat(partialOf(write.key))).size, 0);
    await write.append(4);
    const { ino } = await stat(partialOf(write.key));
    await write.append();
    assert.deepEqual(await listAll(store, ''), []);
    await write.finish();
    assert.equal((await stat(store.pathOf(write.key))).ino, ino);
    assert.equal((await stat(store.pathOf(write.key))).mode & 0o007, 0);
    assert.deepEqual(await readdir(path.join(root, '.partial')), []);
  });

  it('cannot begin twice for the same key', async () => {
    const write = await PiecewiseWrite.begin(store, 'twice', 10);
    await write.append();
    await assertPlainError(store.resumable.begin(write.key));
    await write.finishAndCheck();
  });

  it('flush the bytes before a point is reported, and the name before finish() resolves', async () => {
    const calls: string[] = [];
    const { rename } = fs;
    const write = await PiecewiseWrite.begin(store, 'durable', 3 * MIB);
    for (const flush of ['fdatasync', 'fsync'] as const) {
      const original = fs[flush];
      mock.method(fs, flush, (descriptor: number, done: (error: Error | null) => void) => {
        const flushed = `flushed ${path.relative(root, fs.readlinkSync(`/proc/self/fd/${descriptor}`))}`;
        original(descriptor, (error) => {
          calls.push(flushed);
          done(error);
        });
      });
    }
    mock.method(fs, 'rename', (from: string, to: string, done: (error: Error | null) => void) => {
      rename(from, to, (error) => {
        calls.push('renamed');
        done(error);
      });
    });
    write.record = async (point) => {
      calls.push(`reported ${point.size}`);
    };
    try {
      await write.append();
      await write.finish();
      calls.push('finished');
      await write.finish();
    } finally {
      mock.restoreAll();
    }
    const partial = path.relative(root, partialOf(write.key));
    const name = 'flushed test/pieces';
    assert.deepEqual(
      calls.filter((call) => !['flushed ', 'flushed test'].includes(call)),
      [`flushed ${partial}`, `reported ${3 * MIB}`, 'renamed', name, 'finished', name],
    );
  });

  it('report a point every 64 MiB while more bytes arrive, and lose none in between', inFull, async () => {
    const points: number[] = [];
    const write = { key: 'long', id: await store.resumable.begin('long'), size: 150 * MIB };
    let point = NOTHING_WRITTEN;
    await store.resumable.append(write, point, eachOf(numberedBytes(0, write.size)), {
      signal: new AbortController().signal,
      newKey: () => 'tail',
      onPoint: async (reached) => {
        points.push(reached.size);
        point = reached;
        await sleep(20);
      },
    });
    assert.deepEqual([points.length, points.at(-1)], [3, write.size]);
    await store.resumable.finish(write, point);
    let at = 0;
    for await (const chunk of await store.open('long')) {
      assert.ok(Buffer.concat([...numberedBytes(at, at + chunk.length)]).equals(chunk), `after ${at}`);
      at += chunk.length;
    }
    assert.equal(at, write.size);
  });

  it('end a piece whose point is rejected, even while the source is silent, and report no other point', async () => {
    const write = { key: 'refused', id: await store.resumable.begin('refused'), size: 100 * MIB };
    const source = new WatchedSource([...numberedBytes(0, 70 * MIB)], () => new Promise(() => {}));
    let calls = 0;
    const writing = store.resumable.append(write, NOTHING_WRITTEN, source, {
      signal: new AbortController().signal,
      newKey: () => 'tail',
      onPoint: async () => {
        calls += 1;
        throw FAULT;
      },
    });
    await assert.rejects(writing, (error) => error === FAULT);
    assert.equal(calls, 1);
  });

  it('report a file that is shorter than the point as a bug', async () => {
    const write = await PiecewiseWrite.begin(store, 'short', 1_000);
    await write.append(600);
    await truncate(partialOf(write.key), 599);
    const source = new WatchedSource([write.next()]);
    await assertPlainError(write.appendFrom(source));
    assert.equal(write.point.size, 600);
    await assertPlainError(write.finish());
    await assertMissing(store, write.key);
  });

  it('close the source when the write does not exist', async () => {
    const source = new WatchedSource([Buffer.alloc(10)]);
    const stream = new PassThrough();
    const write = await PiecewiseWrite.begin(store, 'none', 10);
    await write.abort();
    await assertPlainError(write.appendFrom(source));
    await assertPlainError(write.appendFrom(stream));
    assert.equal(stream.destroyed, true);
  });

  it('may be finished by several callers at the same time', async () => {
    const write = await PiecewiseWrite.begin(store, 'many', 100_000);
    await write.append();
    const stores = [store, new LocalDiskStore(root), new LocalDiskStore(root)];
    await Promise.all([...stores, ...stores].map((each) => each.resumable.finish(write, write.point)));
    await write.checkFinished();
  });

  it('keep the bytes when the flush of the new name fails', async () => {
    const write = await PiecewiseWrite.begin(store, 'kept', 100_000);
    await write.append();
    mock.method(fs, 'fsync', (_descriptor: number, done: (error: Error) => void) =>
      done(Object.assign(new Error('broken'), { code: 'EIO' })),
    );
    try {
      assert.equal((await failureOf(write.finish())).kind, 'unavailable');
    } finally {
      mock.restoreAll();
    }
    await write.finishAndCheck();
  });

  it('are removed when they are old and unclaimed; other files are not', async () => {
    const hour = 3_600_000;
    const names = ['old', 'claimed', 'young'];
    for (const name of names) {
      const write = await PiecewiseWrite.begin(store, name, 10);
      await write.append();
      const age = name === 'young' ? hour / 2 : 2 * hour;
      const seconds = (systemClock.now() - age) / 1_000;
      await utimes(partialOf(write.key), seconds, seconds);
    }
    const foreign = path.join(root, '.partial', 'a%20b');
    await writeFile(foreign, '');
    await utimes(foreign, 1, 1);
    const removed = await store.removeAbandonedWrites(systemClock.now() - hour, async (keys) => {
      assert.deepEqual(keys.toSorted(), ['test/pieces/claimed', 'test/pieces/old']);
      return ['test/pieces/claimed'];
    });
    assert.equal(removed, 1);
    assert.deepEqual((await readdir(path.join(root, '.partial'))).toSorted(), [
      'a%20b',
      'test%2Fpieces%2Fclaimed',
      'test%2Fpieces%2Fyoung',
    ]);
  });

  it('ask for the claims of many writes in a few calls', async () => {
    for (let number = 0; number < 1_010; number += 1) await store.resumable.begin(`many/${number}`);
    const asked: number[] = [];
    const removed = await store.removeAbandonedWrites(Date.now() + 60_000, async (keys) => {
      asked.push(keys.length);
      return claimNothing();
    });
    assert.deepEqual([removed, asked], [1_010, [500, 500, 10]]);
  });

  it('do not share the temporary file of a copy, and a failed copy leaves nothing', async () => {
    await store.write('from', send(randomBytes(MIB)));
    await store.copy('from', 'to/copy');
    assert.notEqual((await stat(store.pathOf('from'))).ino, (await stat(store.pathOf('to/copy'))).ino);
    assert.ok((await readFile(store.pathOf('from'))).equals(await readFile(store.pathOf('to/copy'))));
    await store.write('file', send());
    await assert.rejects(store.copy('from', 'file/below'));
    assert.deepEqual(await readdir(path.join(root, '.incoming')), []);
  });

  it('leave no descriptor open', async () => {
    const count = async () => (await readdir('/proc/self/fd')).length;
    const before = await count();
    for (let round = 0; round < 30; round += 1) {
      const write = await PiecewiseWrite.begin(store, `descriptors-${round}`, 2 * MIB);
      await write.append(MIB);
      write.record = () => Promise.reject(FAULT);
      await assert.rejects(write.append());
      await assert.rejects(write.appendFrom(send(Buffer.alloc(3 * MIB))));
      await truncate(partialOf(write.key), 0);
      await assert.rejects(write.append());
      await write.abort();
    }
    await waitUntil('the descriptors are closed', async () => (await count()) <= before);
  });
});

async function* eachOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
