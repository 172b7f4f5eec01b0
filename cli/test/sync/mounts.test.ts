// tier: full
// runs on: sqlite
// needs: process
// Disks that are mounted below a synced directory, and that come and go. The tests fake the device numbers.
import assert from 'node:assert/strict';
import fs, { type BigIntStats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

/** The faked device number of everything at or below each path. */
const disks = new Map<string, bigint>();

const { lstatSync } = fs;
const writable: { lstatSync: unknown } = fs;
writable.lstatSync = (file: string, options: Parameters<typeof lstatSync>[1]) => {
  const found = lstatSync(file, options) as unknown as BigIntStats | undefined;
  for (const [at, device] of disks) {
    if (found !== undefined && (file === at || file.startsWith(`${at}/`))) found.dev = device;
  }
  return found;
};
syncBuiltinESMExports();
after(() => {
  writable.lstatSync = lstatSync;
  syncBuiltinESMExports();
});

beforeEach(() => disks.clear());

const FILES = { 'a.txt': 'a', 'disk/b.txt': 'b', 'disk/deep/c.txt': 'c' };

/** A pair with a directory that is on another disk. */
async function createWithDisk(): Promise<DisturbedPair> {
  const pair = await DisturbedPair.create(service, FILES);
  disks.set(pair.at('disk'), 1_234n);
  await settle();
  await pair.sync();
  return pair;
}

function unmount(pair: DisturbedPair): void {
  disks.clear();
  fs.renameSync(pair.at('disk'), `${pair.local}-disk`);
}

function mount(pair: DisturbedPair, device: bigint): void {
  fs.rmSync(pair.at('disk'), { recursive: true, force: true });
  fs.renameSync(`${pair.local}-disk`, pair.at('disk'));
  disks.set(pair.at('disk'), device);
}

describe('a disk that is mounted in a synced directory', () => {
  for (const [kind, makeMountPoint] of [
    ['together with its directory', () => undefined],
    ['leaving an empty directory', (pair: DisturbedPair) => fs.mkdirSync(pair.at('disk'))],
    ['leaving a directory with other files', (pair: DisturbedPair) => pair.write('disk/x.txt', 'x')],
  ] as const) {
    test(`does not count as deleted when it disappears ${kind}`, async () => {
      const pair = await createWithDisk();
      unmount(pair);
      makeMountPoint(pair);
      pair.write('new.txt', 'new');
      fs.rmSync(pair.at('a.txt'));
      await pair.edit('disk/b.txt', 'edited');
      const notes = await pair.sync();
      assert.match(notes, /disk: Its disk is not mounted\..*--accept-mounts/);
      assert.equal(await pair.readRemote('disk/b.txt'), 'edited');
      assert.equal(await pair.readRemote('disk/deep/c.txt'), 'c');
      // Everything else is synced.
      assert.equal(await pair.readRemote('new.txt'), 'new');
      await assert.rejects(pair.find('a.txt'), /is not in the drive/);
      await assert.rejects(pair.find('disk/x.txt'), /is not in the drive/);
      // The same disk again, with another number.
      mount(pair, 99n);
      assert.doesNotMatch(await pair.sync(), /upload|delete|conflict|mounted/);
      assert.equal(pair.read('disk/b.txt'), 'edited');
    });
  }

  test('comes back from the drive when its absence is accepted', async () => {
    const pair = await createWithDisk();
    unmount(pair);
    assert.doesNotMatch(await pair.sync({ acceptsMounts: true }), /delete|mounted/);
    assert.equal(pair.read('disk/deep/c.txt'), 'c');
    fs.rmSync(pair.at('disk/deep/c.txt'));
    await pair.sync();
    await assert.rejects(pair.find('disk/deep/c.txt'), /is not in the drive/);
  });

  test('does not count as deleted when it disappears while it is read', async () => {
    const pair = await createWithDisk();
    const notes = await pair.sync({
      change: (parts) => {
        const { scan } = parts.local;
        parts.local.scan = async (...args) => {
          // The files disappear during the scan while the disk stays mounted.
          const aside = `${pair.local}-aside`;
          fs.mkdirSync(aside);
          for (const name of ['b.txt', 'deep'])
            fs.renameSync(pair.at(`disk/${name}`), path.join(aside, name));
          await scan.apply(parts.local, args);
          disks.clear();
        };
        return parts;
      },
    });
    assert.match(notes, /disk: Its disk was taken away/);
    assert.equal(await pair.readRemote('disk/deep/c.txt'), 'c');
  });

  test('does not count as deleted when it disappears during a watch', async () => {
    const pair = await createWithDisk();
    let synced: Promise<void> | undefined;
    await pair.sync({
      whenSynced: async (sync) => {
        unmount(pair);
        synced = sync.syncChanges(new Set(['disk/deep/c.txt', 'disk/deep', 'disk/b.txt', 'disk']));
        await synced;
      },
    });
    assert.ok(synced);
    assert.equal(await pair.readRemote('disk/b.txt'), 'b');
    assert.equal(await pair.readRemote('disk/deep/c.txt'), 'c');
  });

  test('can be moved together with its directory', async () => {
    const pair = await createWithDisk();
    fs.renameSync(pair.at('disk'), pair.at('renamed'));
    disks.clear();
    disks.set(pair.at('renamed'), 1_234n);
    assert.doesNotMatch(await pair.sync(), /upload|delete|mounted/);
    assert.equal(await pair.readRemote('renamed/deep/c.txt'), 'c');
  });

  test('receives a file that is moved there in the drive', async () => {
    const pair = await createWithDisk();
    const { id } = await pair.find('a.txt');
    await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/pair/disk' } });
    // It is downloaded, because a file cannot be moved to another disk.
    const notes = await pair.sync();
    assert.match(notes, /download: disk\/a.txt/);
    assert.doesNotMatch(notes, /move on disk/);
    assert.equal(pair.read('disk/a.txt'), 'a');
    assert.ok(!pair.names().includes('a.txt'));
  });

  test('may have a file with the inode of one on the other disk, which does not count as moved', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'same size 1' });
    const mtime = new Date('2026-01-01T00:00:00.000Z');
    fs.utimesSync(pair.at('a.txt'), mtime, mtime);
    await settle();
    await pair.sync();
    // The new file has the inode, size and time of the old one, but other content.
    fs.mkdirSync(pair.at('disk'));
    fs.renameSync(pair.at('a.txt'), pair.at('disk/b.txt'));
    fs.writeFileSync(pair.at('disk/b.txt'), 'same size 2');
    fs.utimesSync(pair.at('disk/b.txt'), mtime, mtime);
    disks.set(pair.at('disk'), 1_234n);
    assert.doesNotMatch(await pair.sync(), /move/);
    assert.equal(await pair.readRemote('disk/b.txt'), 'same size 2');
  });
});

describe('a disk that is mounted over a synced directory', () => {
  test('hides files there, which do not count as deleted', async () => {
    const pair = await DisturbedPair.create(service, FILES);
    await settle();
    await pair.sync();
    fs.renameSync(pair.at('disk'), `${pair.local}-hidden`);
    pair.write('disk/other.txt', 'other');
    disks.set(pair.at('disk'), 1_234n);
    assert.match(await pair.sync(), /disk: Another disk is mounted here than at the last sync/);
    assert.equal(await pair.readRemote('disk/deep/c.txt'), 'c');
    await assert.rejects(pair.find('disk/other.txt'), /is not in the drive/);
    assert.doesNotMatch(await pair.sync({ acceptsMounts: true }), /delete|mounted/);
    assert.equal(pair.read('disk/deep/c.txt'), 'c');
    assert.equal(await pair.readRemote('disk/other.txt'), 'other');
  });

  test('is synced if nothing was there', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    fs.mkdirSync(pair.at('disk'));
    await pair.sync();
    disks.set(pair.at('disk'), 1_234n);
    pair.write('disk/b.txt', 'b');
    assert.doesNotMatch(await pair.sync(), /mounted/);
    assert.equal(await pair.readRemote('disk/b.txt'), 'b');
  });

  test('stops the sync if the whole directory is on it', async () => {
    const pair = await createWithDisk();
    disks.clear();
    disks.set(pair.local, 77n);
    await assert.rejects(pair.sync(), /Another disk is mounted at .*--accept-mounts/);
    fs.rmSync(pair.at('a.txt'));
    await pair.sync({ acceptsMounts: true });
    assert.equal(pair.read('a.txt'), 'a');
    disks.clear();
    await assert.rejects(pair.sync(), /No disk is mounted at /);
  });
});
