// tier: default
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openDatabase } from './open-state.ts';
import { SyncState } from './sync-state.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-sync-state-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const BASE = {
  isDirectory: false,
  size: 3,
  id: 7,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  mtimeMs: 1,
  ctimeMs: 2,
  device: '4',
  inode: '18446744073709551615',
  isMountPoint: true,
  sha256: null,
};

/** The base of a state written by version 1. */
const BASE_1 = `
  create table base (
    path text primary key, id integer not null, is_directory integer not null, size integer not null,
    modified_at text not null, updated_at text not null, sha256 text,
    mtime_ms real not null, ctime_ms real not null, ino real not null
  ) without rowid;
  insert into base values
    ('a.txt', 7, 0, 3, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', null, 1, 2, 9007199254740991);`;

const VERSION_1 = `
  create table remote (
    path text primary key, id integer not null, is_directory integer not null, size integer not null,
    modified_at text not null, updated_at text not null, sha256 text
  ) without rowid;
  insert into remote values ('b', 8, 1, 0, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', null);
  create table position (id integer primary key check (id = 1), cursor integer not null, mark text);
  insert into position values (1, 5, 'mark');
  create table direction (id integer primary key check (id = 1), is_two_way integer not null);
  insert into direction values (1, 1);
  pragma user_version = 1;
  ${BASE_1}`;

async function reopen(state: SyncState, file: string): Promise<SyncState> {
  state.close();
  return await SyncState.open(file, { isDryRun: false });
}

describe('the state of a pair', () => {
  test('keeps the cursor and the mark of its event', async () => {
    const file = path.join(folder, 'kept.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    state.setCursor(5, 'mark');
    state.setBase('a.txt', BASE);
    state.close();
    const again = await SyncState.open(file, { isDryRun: false });
    assert.deepEqual([again.cursor, again.mark, again.base.get('a.txt')], [5, 'mark', BASE]);
    again.close();
  });

  test('keeps the mount points of disks', async () => {
    const file = path.join(folder, 'mounts.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    state.setMountPath('/mnt');
    for (const entryPath of ['a', 'b', 'c']) state.setBase(entryPath, BASE);
    state.setBase('a', { ...BASE, isMountPoint: false });
    state.deleteBase('b');
    state.moveBase('c', 'moved');
    for (const expected of [state, await reopen(state, file)]) {
      assert.deepEqual([[...expected.mountPoints], expected.mountPath], [['moved'], '/mnt']);
    }
  });

  test('is kept in full when it comes from version 1, except that the disks are unknown', async () => {
    const file = path.join(folder, 'version-1.sqlite');
    const database = await openDatabase(file);
    database.exec(VERSION_1);
    database.close();
    const state = await SyncState.open(file, { isDryRun: false });
    const again = await reopen(state, file);
    const upgraded = { ...BASE, device: '', inode: '9007199254740991', isMountPoint: null };
    assert.deepEqual([...again.base], [['a.txt', upgraded]]);
    assert.deepEqual([again.cursor, again.mark, again.wasTwoWay], [5, 'mark', true]);
    assert.deepEqual(again.remote.entries.get('b')?.id, 8);
    assert.equal(again.mountPath, undefined);
    again.close();
  });

  test('keeps its base if it was written before versions, and the drive is read again', async () => {
    const file = path.join(folder, 'old.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    state.close();
    const database = await openDatabase(file);
    database.exec(`drop table position; drop table base; drop table disk; pragma user_version = 0;
      ${BASE_1}
      create table position (id integer primary key check (id = 1), cursor integer not null);
      insert into position values (1, 5);`);
    database.close();
    const again = await SyncState.open(file, { isDryRun: false });
    assert.deepEqual([again.cursor, again.mark, again.base.get('a.txt')?.id], [undefined, undefined, 7]);
    again.close();
  });

  test('is rejected if a newer program wrote it', async () => {
    const file = path.join(folder, 'newer.sqlite');
    (await SyncState.open(file, { isDryRun: false })).close();
    const database = await openDatabase(file);
    database.exec('pragma user_version = 99;');
    database.close();
    await assert.rejects(SyncState.open(file, { isDryRun: false }), /was written by a newer holdall/);
  });

  test('is rejected with a clear message if it is damaged, and is not changed', async () => {
    const file = path.join(folder, 'damaged.sqlite');
    writeFileSync(file, 'This is no database. '.repeat(500));
    await assert.rejects(SyncState.open(file, { isDryRun: false }), /is damaged, and nothing was changed/);
    assert.match(readFileSync(file, 'utf8'), /^This is no database/);
  });

  test('is rejected if a single page is damaged', async () => {
    const file = path.join(folder, 'page.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    for (let count = 0; count < 500; count += 1) state.setBase(`file-${count}.txt`, BASE);
    state.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    await assert.rejects(SyncState.open(file, { isDryRun: false }), /is damaged, and nothing was changed/);
  });
});
