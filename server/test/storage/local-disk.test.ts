// tier: default
// needs: disk
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/failure.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { send, WatchedSource } from '../support/storage/byte-sources.ts';
import { describeObjectStore } from '../support/storage/contract/object-store-contract.ts';
import { claimNothing } from '../support/storage/store-assertions.ts';

describeObjectStore('local disk', async () => {
  const root = await makeRoot();
  const open = () => new LocalDiskStore(root);
  return { store: open(), reopen: open, close: () => rm(root, { recursive: true }) };
});

describe('the local disk store', () => {
  let root: string;
  let store: LocalDiskStore;
  beforeEach(async () => {
    root = await makeRoot();
    store = new LocalDiskStore(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('stores an object under its key, where a reverse proxy finds it', async () => {
    await store.write('blobs/ab/object', send(Buffer.from('here')));
    assert.equal(store.pathOf('blobs/ab/object'), path.join(root, 'blobs', 'ab', 'object'));
    assert.equal((await readFile(store.pathOf('blobs/ab/object'))).toString(), 'here');
    assert.equal((await stat(store.pathOf('blobs/ab/object'))).mode & 0o007, 0);
    assert.throws(() => store.pathOf('../etc/passwd'));
  });

  it('creates its root with the first write', async () => {
    const deep = path.join(root, 'not', 'yet', 'there');
    await new LocalDiskStore(`${deep}/`).write('one', send());
    assert.deepEqual((await readdir(deep)).toSorted(), ['.incoming', 'one']);
  });

  it('rejects a relative root', () => {
    assert.throws(() => new LocalDiskStore('data/objects'));
  });

  it('lists and cleans up nothing before the first write', async () => {
    const missing = new LocalDiskStore(path.join(root, 'missing'));
    for await (const object of missing.list('')) assert.fail(object.key);
    assert.equal(await missing.removeAbandonedWrites(Date.now(), claimNothing), 0);
    await missing.remove(['a/b']);
  });

  it('leaves no temporary file behind, whether a write succeeds or fails', async () => {
    await store.write('a', send(randomBytes(2_000_000)));
    await assert.rejects(store.write('b', send(randomBytes(2_000_000)), { maxBytes: 1_000_000 }));
    await assert.rejects(store.write('c', send(randomBytes(200)), { maxBytes: 100 }));
    await store.check();
    assert.deepEqual(await readdir(path.join(root, '.incoming')), []);
  });

  it('removes a directory with its last object, but never the root', async () => {
    await store.write('a/b/c/1', send());
    await store.write('a/b/2', send());
    await store.remove(['a/b/c/1']);
    assert.deepEqual(await readdir(path.join(root, 'a', 'b')), ['2']);
    await store.remove(['a/b/2']);
    assert.deepEqual(await readdir(root), ['.incoming']);
  });

  it('acknowledges a removal only once it is durable', async () => {
    await store.write('durable/a/one', send());
    await store.write('durable/a/two', send());
    await store.write('durable/b/three', send());
    const calls: string[] = [];
    const { fsync, unlink } = fs;
    mock.method(fs, 'unlink', (file: string, done: () => void) => {
      unlink(file, () => {
        calls.push(`unlink ${path.relative(root, file)}`);
        done();
      });
    });
    mock.method(fs, 'fsync', (descriptor: number, done: () => void) => {
      calls.push(`flush ${path.relative(root, fs.readlinkSync(`/proc/self/fd/${descriptor}`))}`);
      fsync(descriptor, done);
    });
    try {
      await store.remove(['durable/a/one', 'durable/b/three']);
    } finally {
      mock.restoreAll();
    }
    for (const [unlinked, flushed] of [
      ['unlink durable/a/one', 'flush durable/a'],
      ['unlink durable/b/three', 'flush durable/b'],
    ] as const) {
      assert.ok(calls.includes(unlinked));
      assert.ok(calls.lastIndexOf(flushed) > calls.indexOf(unlinked), calls.join(', '));
    }
  });

  it('recreates a directory that another instance has removed', async () => {
    await store.write('a/b/1', send());
    await rm(path.join(root, 'a'), { recursive: true });
    await store.write('a/b/2', send());
    await rm(path.join(root, '.incoming'), { recursive: true });
    await store.write('a/b/3', send());
    await rm(root, { recursive: true });
    await store.write('a/b/4', send());
    assert.deepEqual(await readdir(path.join(root, 'a', 'b')), ['4']);
  });

  it('shares its root with instances that write and remove in the same directories', inFull, async () => {
    const stores = [store, new LocalDiskStore(root), new LocalDiskStore(root)];
    await Promise.all(
      stores.flatMap((each, instance) =>
        [0, 1, 2].map(async (writer) => {
          for (let round = 0; round < 100; round += 1) {
            const key = `shared/${round % 2}/${instance}-${writer}`;
            await each.write(key, send(Buffer.from(key)));
            assert.equal((await buffer(await each.open(key))).toString(), key);
            await each.remove([key]);
          }
        }),
      ),
    );
    assert.deepEqual(await readdir(root), ['.incoming']);
  });

  it('lists only objects', async () => {
    await store.write('blobs/object', send());
    await mkdir(path.join(root, 'lost+found'));
    await writeFile(path.join(root, 'lost+found', '12'), '');
    await writeFile(path.join(root, 'blobs', '.hidden'), '');
    await symlink('/etc', path.join(root, 'etc'));
    await store.write('z', new WatchedSource([Buffer.alloc(600_000)], () => assertListed(['blobs/object'])));
    await assertListed(['blobs/object', 'z']);
  });

  it('removes abandoned writes by the time of their last byte', async () => {
    await store.check();
    const incoming = path.join(root, '.incoming');
    for (const [name, age] of [
      ['old', 7_200],
      ['older', 90_000],
      ['young', 60],
    ] as const) {
      await writeFile(path.join(incoming, name), 'half');
      await utimes(path.join(incoming, name), Date.now() / 1_000 - age, Date.now() / 1_000 - age);
    }
    assert.equal(await store.removeAbandonedWrites(systemClock.now() - 3_600_000, claimNothing), 2);
    assert.deepEqual(await readdir(incoming), ['young']);
  });

  it('fails a write with unavailable when it was removed as abandoned', async () => {
    const source = new WatchedSource([randomBytes(2_000_000)], async () => {
      assert.equal(await store.removeAbandonedWrites(Date.now() + 60_000, claimNothing), 1);
    });
    await assert.rejects(store.write('slow', source), isUnavailable);
    assert.equal(await store.find('slow'), undefined);
  });

  it('fails a write with unavailable when the object was removed before its name was durable', async () => {
    const rename = fs.rename;
    mock.method(fs, 'rename', (from: string, to: string, done: (error: Error | null) => void) => {
      rename(from, to, (error) => {
        fs.rmSync(path.dirname(to), { recursive: true });
        done(error);
      });
    });
    try {
      await assert.rejects(store.write('lost/object', send(Buffer.of(1))), isUnavailable);
    } finally {
      mock.restoreAll();
    }
    assert.equal(await store.find('lost/object'), undefined);
    await store.write('lost/object', send(Buffer.of(1)));
    assert.equal((await store.find('lost/object'))?.size, 1);
  });

  it('fails in the middle of a download when the file has become shorter', async () => {
    await store.write('short', send(Buffer.alloc(2_000_000)));
    const stream = await store.open('short');
    await truncate(store.pathOf('short'), 1_000_000);
    await assert.rejects(buffer(stream), /too early/);
    await assert.rejects(store.read('short', { start: 999_999, end: 1_000_000 }), /too early/);
  });

  it('fails its check when it cannot write', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, '');
    await assert.rejects(new LocalDiskStore(path.join(file, 'root')).check());
  });

  async function assertListed(expected: readonly string[]): Promise<void> {
    const found: string[] = [];
    for await (const object of store.list('')) found.push(object.key);
    assert.deepEqual(found.toSorted(), expected);
  }
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}

async function makeRoot(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'holdall-store-'));
}
