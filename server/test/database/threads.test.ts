// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { measureLongestTurn } from '../../../tools/fuzz/service/event-loop-probe.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Failure } from '../../src/base/failure.ts';
import type { Tx } from '../../src/database/database.ts';
import { ThreadedSession } from '../../src/database/sqlite/threaded-session.ts';
import { conflictOn } from '../../src/database/unique-violations.ts';
import { addOne, find, put } from '../support/database/numbers.ts';
import { openTestDatabase, sqliteFile } from '../support/database/open-database.ts';

const under = await openTestDatabase();
const { database } = under;
const always = async () => true;
const ROOT_HANDLE = /root handle ran inside an open transaction/;

/** Takes SQLite a few hundred milliseconds. */
const SLOW = sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 1000000)
  select max(n) from number`;

afterEach(() => mock.restoreAll());

describe('a long transaction', () => {
  it('commits what it wrote, and then its callbacks run', async () => {
    let seen: Promise<number | undefined> | undefined;
    const result = await database.transactBySize(always, async (tx) => {
      database.afterCommit(tx, () => {
        seen = find(database.db, 'kept');
      });
      await put(tx, 'kept', 1);
      return 'done';
    });
    assert.equal(result, 'done');
    assert.equal(await seen, 1);
  });

  it('is rolled back when its work throws', async () => {
    const failing = database.transactBySize(always, async (tx) => {
      await put(tx, 'rolled-back', 1);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    assert.equal(await find(database.db, 'rolled-back'), undefined);
  });

  it('lets others read meanwhile, but makes their transactions wait', async () => {
    const written = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const long = database.transactBySize(always, async (tx) => {
      await put(tx, 'unseen', 1);
      written.resolve();
      await end.promise;
    });
    await written.promise;
    const waiting = database.transact((tx) => find(tx, 'unseen'));
    assert.equal(await find(database.db, 'unseen'), undefined);
    assert.equal(await database.readLong((db) => find(db, 'unseen')), undefined);
    end.resolve();
    await long;
    assert.equal(await waiting, 1);
  });

  it('never runs at the same time as another transaction', async () => {
    const work = (tx: Tx) => addOne(tx, 'crowd');
    await Promise.all(
      Array.from({ length: 90 }, (_, index) => database.transactBySize(async () => index % 3 === 0, work)),
    );
    assert.equal(await find(database.db, 'crowd'), 90);
  });

  it('throws at a query on a root handle', async () => {
    await assert.rejects(
      database.transactBySize(always, () => find(database.db, 'any')),
      ROOT_HANDLE,
    );
    await assert.rejects(
      database.transactBySize(always, () => database.readLong((db) => find(db, 'any'))),
      ROOT_HANDLE,
    );
  });

  it('reports a violated unique rule like any other transaction', async () => {
    const inserting = database.transactBySize(always, async (tx) => {
      for (let time = 0; time < 2; time += 1) {
        await put(tx, 'twice', 1).catch(conflictOn({ 'lease(name)': 'The name is taken.' }));
      }
    });
    await assert.rejects(inserting, (error) => error instanceof Failure && error.kind === 'conflict');
  });

  it('fails when its thread dies, and the next one works', async () => {
    const failing = database.transactBySize(always, async (tx) => {
      await put(tx, 'lost', 1);
      mock.method(Worker.prototype, 'postMessage', function dying(this: Worker) {
        void this.terminate();
      });
      await find(tx, 'lost');
    });
    await assert.rejects(failing, /thread of the database connection died/);
    mock.restoreAll();
    assert.equal(await find(database.db, 'lost'), undefined);
    await database.transactBySize(always, (tx) => put(tx, 'after the death', 1));
    assert.equal(await find(database.db, 'after the death'), 1);
  });
});

describe('the event loop is not blocked', inFull, () => {
  it('during a long transaction', async () => {
    await assertShortTurns(() => database.transactBySize(always, (tx) => SLOW.execute(tx)));
  });

  it('during a long read', async () => {
    await assertShortTurns(() => database.readLong((db) => SLOW.execute(db)));
  });
});

/** Tries three times: the first run starts the thread, and garbage collection can slow down any run. */
async function assertShortTurns(act: () => Promise<unknown>): Promise<void> {
  const turns: number[] = [];
  for (let time = 0; time < 3; time += 1) turns.push((await measureLongestTurn(act)).cpuMs);
  assert.ok(Math.min(...turns) < 25, `${turns.join(', ')} ms`);
}

describe('a long read', () => {
  it('cannot write', async () => {
    await assert.rejects(
      database.readLong((db) => put(db, 'read', 1)),
      /must run in a transaction/,
    );
  });

  it('that is waiting leaves the queue when its caller gives up', async () => {
    const end = Promise.withResolvers<void>();
    const running = database.readLong(() => end.promise);
    const leaving = new AbortController();
    const waiting = database.readLong(async () => assert.fail('the caller has left'), leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(waiting, /left/);
    end.resolve();
    await running;
  });

  it('is rejected when too many are waiting', async () => {
    const end = Promise.withResolvers<void>();
    const reads = Array.from({ length: 300 }, () => database.readLong(() => end.promise));
    await assert.rejects(
      Promise.race(reads),
      (error) => error instanceof Failure && error.kind === 'unavailable',
    );
    end.resolve();
    const ends = await Promise.allSettled(reads);
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 201);
  });
});

describe('a thread', () => {
  it('ends when it has nothing to do, and starts again', async () => {
    const session = new ThreadedSession(sqliteFile(under.directory), 1);
    assert.equal(session.hasThread, false);
    for (let time = 0; time < 2; time += 1) {
      await session.execute('select 1', []);
      await waitUntil('the thread ended', () => !session.hasThread);
    }
    await session.close();
  });

  it('does not end during a transaction', async () => {
    const session = new ThreadedSession(sqliteFile(under.directory), 1);
    await session.begin(true);
    await session.execute('select 1', []);
    // A session that becomes idle later loses its thread, but the open transaction keeps its own.
    const idle = new ThreadedSession(sqliteFile(under.directory), 1);
    await idle.execute('select 1', []);
    await waitUntil('the thread ended', () => !idle.hasThread);
    assert.equal(session.hasThread, true);
    await session.rollback();
    await session.close();
    await idle.close();
    assert.equal(session.hasThread, false);
  });
});
