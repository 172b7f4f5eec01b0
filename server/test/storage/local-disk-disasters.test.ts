// tier: full
// needs: disk
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import type { ResumePoint } from '../../src/storage/resumable-writes.ts';
import { digestOf, numberedBytes, send } from '../support/storage/byte-sources.ts';
import { claimNothing, MIB } from '../support/storage/store-assertions.ts';
import type { FullDiskReport } from '../support/storage/store-child.ts';

const CHILD = path.join(import.meta.dirname, '..', 'support', 'storage', 'store-child.ts');

// Mounted in a separate namespace: invisible to other processes, and gone when the process ends.
const SMALL_DISK = [
  'unshare',
  ...['--user', '--map-root-user', '--mount', 'sh', '-c'],
  'mount -t tmpfs -o size=1m none "$0" && exec "$@"',
];

// Without the right to mount, the shell's file size limit (in KiB) also stops a write half-way.
const SMALL_FILES = ['bash', '-c', 'ulimit -f 1024 && exec "$@"'];

describe('a local disk whose process is killed', () => {
  let root: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdall-store-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(root, { recursive: true });
  });

  it('has every acknowledged object and nothing of the unfinished one, and can be cleaned up', async () => {
    child = spawn(process.execPath, [CHILD, 'endless', root], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(child.stdout);
    const acknowledged: { key: string; size: number; sha256: string; crc32: number }[] = [];
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push(JSON.parse(line));
      if (acknowledged.length === 60) child.kill('SIGKILL');
    }

    const store = new LocalDiskStore(root);
    for (const { key, ...digest } of acknowledged) {
      assert.deepEqual(digestOf(await buffer(await store.open(key))), digest);
    }
    // One more may have been completed right before the process was killed.
    const keys: string[] = [];
    for await (const object of store.list('')) keys.push(object.key);
    assert.ok(keys.every((key) => key.startsWith('killed/acknowledged/')));
    assert.ok(keys.length - acknowledged.length <= 1);

    const left = await readdir(path.join(root, '.incoming'));
    assert.ok(left.length >= 1, 'the unfinished write was under way');
    assert.equal(await store.removeAbandonedWrites(Date.now() + 1_000, claimNothing), left.length);
    assert.deepEqual(await readdir(path.join(root, '.incoming')), []);
  });

  it('resumes a write from the last reported point', async () => {
    child = spawn(process.execPath, [CHILD, 'pieces', root], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(child.stdout);
    const reported: { id: string; point: ResumePoint }[] = [];
    for await (const line of createInterface(child.stdout)) {
      reported.push(JSON.parse(line));
      // Five small pieces are complete, and the long last one is being written.
      if (reported.length === 6) child.kill('SIGKILL');
    }
    assert.deepEqual(
      reported.slice(0, 5).map(({ point }) => point.size),
      [3, 6, 9, 12, 15].map((mebibytes) => mebibytes * MIB),
    );
    const last = reported.at(-1);
    assert.ok(last !== undefined && last.point.size >= 79 * MIB && last.point.size < 192 * MIB);

    const store = new LocalDiskStore(root);
    const write = { key: 'killed/pieces', id: last.id, size: 192 * MIB };
    assert.equal(await store.find(write.key), undefined);
    let { point } = last;
    await store.resumable.append(write, point, send(...numberedBytes(point.size, write.size)), {
      signal: new AbortController().signal,
      newKey: () => 'killed/tail',
      onPoint: async (reached) => {
        point = reached;
      },
    });
    await store.resumable.finish(write, point);
    let at = 0;
    for await (const chunk of await store.open(write.key)) {
      const expected = Buffer.concat([...numberedBytes(at, at + chunk.length)]);
      assert.ok(expected.equals(chunk), `other bytes behind ${at}`);
      at += chunk.length;
    }
    assert.equal(at, write.size);
  });
});

describe('a full local disk', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdall-store-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const means = mayMount() ? [SMALL_DISK, SMALL_FILES] : [SMALL_FILES];
  for (const command of means) {
    it(`rejects a write, keeps nothing of it and then works again (${command[0]})`, async () => {
      // Hitting the file size limit does not count as a full disk.
      const kind = command === SMALL_DISK ? 'over-limit' : 'unavailable';
      assert.deepEqual(await runFull(command, root), {
        failures: [kind, kind, kind],
        objects: [],
        incoming: [],
        openFiles: 0,
        sizeAfterwards: 4_096,
      });
    });
  }
});

async function runFull([program = '', ...words]: readonly string[], root: string): Promise<FullDiskReport> {
  const child = spawn(program, [...words, root, process.execPath, CHILD, 'full', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0);
  return JSON.parse(line);
}

function mayMount(): boolean {
  const [program = '', ...words] = SMALL_DISK;
  return spawnSync(program, [...words, tmpdir(), 'true']).status === 0;
}
