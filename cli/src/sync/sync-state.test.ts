import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openDatabase } from './open-database.ts';
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
  ino: 3,
  sha256: null,
};

describe('the state of a pair', () => {
  test('keeps the cursor with what tells its event', async () => {
    const file = path.join(folder, 'kept.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    state.setCursor(5, 'mark');
    state.setBase('a.txt', BASE);
    state.close();
    const again = await SyncState.open(file, { isDryRun: false });
    assert.deepEqual([again.cursor, again.mark, again.base.get('a.txt')], [5, 'mark', BASE]);
    again.close();
  });

  test('of a program that wrote no version keeps its base, and reads the drive anew', async () => {
    const file = path.join(folder, 'old.sqlite');
    const state = await SyncState.open(file, { isDryRun: false });
    state.setBase('a.txt', BASE);
    state.close();
    const database = await openDatabase(file);
    database.exec(`drop table position; pragma user_version = 0;
      create table position (id integer primary key check (id = 1), cursor integer not null);
      insert into position values (1, 5);`);
    database.close();
    const again = await SyncState.open(file, { isDryRun: false });
    assert.deepEqual([again.cursor, again.mark, again.base.get('a.txt')], [undefined, undefined, BASE]);
    again.close();
  });

  test('of a newer program is refused', async () => {
    const file = path.join(folder, 'newer.sqlite');
    (await SyncState.open(file, { isDryRun: false })).close();
    const database = await openDatabase(file);
    database.exec('pragma user_version = 99;');
    database.close();
    await assert.rejects(SyncState.open(file, { isDryRun: false }), /newer version of holdall has written/);
  });

  test('that is damaged is refused with a clear message, and left as it is', async () => {
    const file = path.join(folder, 'damaged.sqlite');
    writeFileSync(file, 'This is no database. '.repeat(500));
    await assert.rejects(SyncState.open(file, { isDryRun: false }), /is damaged, and nothing was changed/);
    assert.match(readFileSync(file, 'utf8'), /^This is no database/);
  });

  test('of which a page is damaged is refused, too', async () => {
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
