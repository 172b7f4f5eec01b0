// tier: default
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { saveCopy } from './saved-copy.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-copies-'));
after(() => rmSync(scratch, { recursive: true }));

/** A database in the same journal mode as the server's, with these migrations applied. */
function makeDatabase(name: string, steps: readonly string[]): string {
  const file = path.join(mkdtempSync(path.join(scratch, name)), 'holdall.db');
  const database = new Sqlite(file);
  database.pragma('journal_mode = wal');
  database.exec('create table schema_step (name text primary key)');
  for (const step of steps) database.prepare('insert into schema_step (name) values (?)').run(step);
  database.close();
  return file;
}

const filesBeside = (file: string) => readdirSync(path.dirname(file)).sort();

test('a database that another process has migrated meanwhile is not copied', async () => {
  const file = makeDatabase('migrated', ['0001-one', '0002-two']);
  writeFileSync(`${file}.before-0002`, 'of the other process');
  assert.equal(await saveCopy(file, '0002', ['0001-one']), undefined);
  assert.deepEqual(filesBeside(file), ['holdall.db', 'holdall.db.before-0002']);
});

test('an existing copy of the same step is not replaced', async () => {
  const file = makeDatabase('same', ['0001-one']);
  const first = await saveCopy(file, '0002', ['0001-one']);
  const second = await saveCopy(file, '0002', ['0001-one']);
  assert.deepEqual([first, second], [`${file}.before-0002`, `${file}.before-0002-2`]);
  assert.deepEqual(filesBeside(file), ['holdall.db', 'holdall.db.before-0002', 'holdall.db.before-0002-2']);
});

test('the copy just made and the newest other one stay, whatever their steps and times are', async () => {
  const file = makeDatabase('old', ['0001-one']);
  const inAYear = Date.now() / 1000 + 365 * 86_400;
  for (const [step, time] of [
    ['0030', inAYear],
    ['0040', inAYear - 60],
  ] as const) {
    writeFileSync(`${file}.before-${step}`, step);
    utimesSync(`${file}.before-${step}`, time, time);
  }
  assert.equal(await saveCopy(file, '0002', ['0001-one']), `${file}.before-0002`);
  assert.deepEqual(filesBeside(file), ['holdall.db', 'holdall.db.before-0002', 'holdall.db.before-0030']);
});
