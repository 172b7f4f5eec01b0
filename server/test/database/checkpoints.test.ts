// tier: default
// needs: process
// On SQLite the write-ahead log is copied to the database file on a thread, see checkpoints.ts.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Database } from '../../src/database/database.ts';
import { LocalSession } from '../../src/database/sqlite/session.ts';
import { openSqlite } from '../../src/database/sqlite/sqlite.ts';
import { PowerLossData } from '../support/storage/power-loss/power-loss-data.ts';
import { waitFor } from '../support/tasks/tasks.ts';

const PAGE_BYTES = 4_096;
const CUTS = 30;
const inFullWithPatience = { ...inFull, timeout: 120_000 };

/** Opens a database with an empty table of numbers, and by default a checkpoint every 20 pages. */
async function open(options: { everyPages: number; largePages?: number } = { everyPages: 20 }) {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-checkpoints-'));
  const file = path.join(directory, 'holdall.db');
  const database = new Database(openSqlite(file, options));
  after(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  await database.transact((tx) => sql`create table number (n integer primary key, padding text)`.execute(tx));
  const findLogBytes = async () => (await stat(`${file}-wal`)).size;
  return { directory, file, database, findLogBytes };
}

/** Inserts a row that fills most of a page. */
function insert(database: Database, n: number, isLong = false): Promise<unknown> {
  return database.transactBySize(
    async () => isLong,
    (tx) => sql`insert into number values (${n}, ${'x'.repeat(3_000)})`.execute(tx),
  );
}

test('a commit on the event loop copies no pages', async () => {
  const { file, database } = await open({ everyPages: 1_000_000 });
  const before = (await stat(file)).size;
  for (let n = 0; n < 1_500; n += 1) await insert(database, n);
  assert.equal((await stat(file)).size, before);
});

test('a disk that fails when the size of the log is read does not end the process', async (t) => {
  const { database } = await open({ everyPages: 1 });
  const failing = t.mock.method(LocalSession.prototype, 'findLogSize', () => {
    throw new Sqlite.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY');
  });
  for (let n = 1; n <= 3; n += 1) {
    await insert(database, n);
    await waitUntil('the size of the log is read', () => failing.mock.callCount() >= n);
  }
});

for (const isLong of [false, true]) {
  test(`the log of commits ${isLong ? 'on the thread' : 'on the event loop'} is reused after a checkpoint`, async () => {
    const { database, findLogBytes } = await open();
    let inserted = 0;
    const insertSome = async () => {
      for (const end = inserted + 20; inserted < end; inserted += 1) await insert(database, inserted, isLong);
      return await findLogBytes();
    };
    // Each insertion writes two or three pages.
    await waitFor(insertSome, (bytes) => bytes < (inserted * 2 * PAGE_BYTES) / 3, 'a shorter log');
  });
}

test('readers that take turns do not make the log grow forever', async () => {
  const { database, findLogBytes } = await open({ everyPages: 20, largePages: 100 });
  let isOver = false;
  const slow = sql`with recursive count (n) as (select 0 union all select n + 1 from count where n < 60000)
    select count(*) + (select count(*) from number) as n from count`;
  const reader = async () => {
    while (!isOver) await database.readLong((db) => slow.execute(db));
  };
  const reading = Promise.all([reader(), reader()]);
  let longest = 0;
  let next = 0;
  // Only a checkpoint that locks out the readers can shorten the log.
  await waitFor(
    async () => {
      for (const end = next + 20; next < end; next += 1) await insert(database, next);
      const bytes = await findLogBytes();
      longest = Math.max(longest, bytes);
      return bytes;
    },
    (bytes) => longest > 100 * PAGE_BYTES && bytes < longest / 2,
    'the log to shrink',
  );
  isOver = true;
  await reading;
});

test(
  'a reader in another process does not block the service, and the log shrinks once it ends',
  inFull,
  async () => {
    const { file, database, findLogBytes } = await open({ everyPages: 20, largePages: 100 });
    const other = new Sqlite(file);
    other.exec('begin');
    other.prepare('select count(*) from number').get();
    const durations: number[] = [];
    for (let n = 0; n <= 300; n += 1) {
      const start = performance.now();
      await (n < 300 ? insert(database, n) : sleep(100));
      durations.push(performance.now() - start);
    }
    durations.sort((one, next) => next - one);
    const [longest = 0, median = 0] = [durations[0], durations[150]];
    // A statement that had to wait for the reader would take five seconds. Flushing to a slow disk takes some
    // milliseconds.
    assert.ok(longest < 4_000 && median < 50, `${longest} ms, the median ${median} ms`);
    other.close();
    await waitFor(
      async () => {
        for (let n = 0; n < 30; n += 1)
          await insert(database, 1_000 + Math.floor(performance.now() * 1e6) + n);
        return await findLogBytes();
      },
      (bytes) => bytes < 200 * PAGE_BYTES,
      'the log to shrink',
    );
  },
);

test('acknowledged changes survive a power cut during checkpoints', inFullWithPatience, async () => {
  const { directory, file, database } = await open();
  await mkdir(path.join(directory, 'objects'));
  const data = await PowerLossData.record(directory);
  const acknowledged: number[] = [];
  let isOver = false;
  const write = async (lane: number) => {
    for (let n = lane; !isOver; n += 4) {
      await insert(database, n, lane === 0);
      acknowledged.push(n);
    }
  };
  const writing = Promise.all([0, 1, 2, 3].map(write));
  const { size } = await stat(file);
  await waitFor(
    async () => (await stat(file)).size,
    (now) => now > size,
    'the first checkpoint',
  );
  const random = new Random(SEED);
  const states: { readonly target: string; readonly expected: readonly number[] }[] = [];
  while (states.length < CUTS) {
    await sleep(random.below(30));
    const target = path.join(directory, `cut-${states.length}`);
    const expected = [...acknowledged];
    data.cut(target, states.length % 2 === 0 ? undefined : random);
    states.push({ target, expected });
  }
  isOver = true;
  await writing;
  data.stop();
  for (const { target, expected } of states) {
    const left = new Sqlite(path.join(target, path.basename(file)));
    const found = new Set(left.prepare('select n from number').pluck().all());
    assert.deepEqual(
      expected.filter((n) => !found.has(n)),
      [],
    );
    assert.deepEqual(left.pragma('integrity_check', { simple: true }), 'ok');
    left.close();
  }
});
