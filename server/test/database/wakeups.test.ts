// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { put } from '../support/database/numbers.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';

const LONG_MS = 20_000;
const never = new AbortController().signal;
const under = await openTestDatabase();
const { database } = under;
/** A second handle, which commits independently of the tests. */
const barrier = under.openSecondHandle();

const notify = (from: Database, key: string) => from.transact((tx) => from.notifyOnCommit(tx, key));

/** Waits until the channel has connected, which on PostgreSQL wakes everyone once. */
async function waitForChannel(waiting: Database): Promise<void> {
  if (isPostgres) assert.equal(await waiting.wakeups.wait('settle', never, LONG_MS), true);
}

/** Waits for earlier wakeups. PostgreSQL delivers them in commit order, SQLite within the process. */
async function waitForEarlierWakeups(): Promise<void> {
  if (isPostgres) {
    const woken = database.wakeups.wait('barrier', never, LONG_MS);
    await notify(barrier, 'barrier');
    assert.equal(await woken, true);
  } else for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

describe('a waiting caller', async () => {
  await waitForChannel(database);

  it('is woken by a notifying transaction, after its commit', async () => {
    const woken = database.wakeups.wait('a', never, LONG_MS);
    let isWoken = false;
    void woken.then(() => {
      isWoken = true;
    });
    await database.transact(async (tx) => {
      await database.notifyOnCommit(tx, 'a');
      await waitForEarlierWakeups();
      assert.equal(isWoken, false);
    });
    assert.equal(await woken, true);
  });

  it('is not woken by a transaction that fails or notifies another key', async () => {
    const leaving = new AbortController();
    const woken = database.wakeups.wait('b', leaving.signal, LONG_MS);
    await notify(database, 'other');
    await assert.rejects(
      database.transact(async (tx) => {
        await database.notifyOnCommit(tx, 'b');
        throw new Error('no');
      }),
      /no/,
    );
    await waitForEarlierWakeups();
    leaving.abort();
    assert.equal(await woken, false);
  });

  it('stops waiting after the timeout and when the signal aborts, even before the call', async () => {
    const leaving = new AbortController();
    const left = database.wakeups.wait('c', leaving.signal, LONG_MS);
    leaving.abort();
    assert.equal(await left, false);
    assert.equal(await database.wakeups.wait('c', leaving.signal, LONG_MS), false);
    assert.equal(await database.wakeups.wait('c', never, 1), false);
    assert.equal(database.wakeups.waiterCount, 0);
  });

  it('is woken by its own key among a thousand', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `many-${index}`);
    const waiting = keys.map((key) => database.wakeups.wait(key, never, LONG_MS));
    const leaving = new AbortController();
    const cold = database.wakeups.wait('cold', leaving.signal, LONG_MS);
    await database.transact(async (tx) => {
      for (const key of keys) await database.notifyOnCommit(tx, key);
    });
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]));
    await waitForEarlierWakeups();
    leaving.abort();
    assert.equal(await cold, false);
  });

  it('misses no change if it starts waiting before it reads', async () => {
    const seen: number[] = [];
    const read = async () => {
      const row = await database.db
        .selectFrom('setting')
        .select('value')
        .where('name', '=', 'told')
        .executeTakeFirst();
      return Number(row?.value ?? 0);
    };
    const following = (async () => {
      while (seen.at(-1) !== 100) {
        const waiting = new AbortController();
        const woken = database.wakeups.wait('told', waiting.signal, LONG_MS);
        const now = await read();
        if (now !== (seen.at(-1) ?? 0)) {
          seen.push(now);
          waiting.abort();
        } else assert.equal(await woken, true, `no wake-up after ${now}`);
      }
    })();
    for (let value = 1; value <= 100; value += 1) {
      await database.transact(async (tx) => {
        await sql`insert into setting (name, value, updated_at) values ('told', ${String(value)}, 1)
          on conflict (name) do update set value = excluded.value`.execute(tx);
        await database.notifyOnCommit(tx, 'told');
      });
    }
    await following;
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  it('stops waiting when the database is closed, and later calls do not wait', async () => {
    const beside = under.openSecondHandle();
    await waitForChannel(beside);
    const waiting = beside.wakeups.wait('closing', never, LONG_MS);
    await beside.close();
    assert.equal(await waiting, false);
    assert.equal(await beside.wakeups.wait('closing', never, LONG_MS), false);
  });
});

if (isPostgres) {
  describe('on several instances', () => {
    it('a transaction of one instance wakes callers on another within 50 ms', inFull, async () => {
      const beside = under.openSecondHandle();
      await waitForChannel(beside);
      const delays: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        const woken = beside.wakeups.wait('across', never, LONG_MS);
        await notify(database, 'across');
        const committed = performance.now();
        assert.equal(await woken, true);
        delays.push(performance.now() - committed);
      }
      // The lower quartile, because on a busy computer the processes wait for each other.
      const quartile = delays.toSorted((a, b) => a - b)[4] ?? Number.POSITIVE_INFINITY;
      assert.ok(quartile < 50, `${delays.join(', ')} ms`);
    });

    it('the channel reconnects after its connection breaks, and wakes everyone', async () => {
      const beside = under.openSecondHandle();
      await waitForChannel(beside);
      const keys = Array.from({ length: 100 }, (_, index) => `broken-${index}`);
      const waiting = keys.map((key) => beside.wakeups.wait(key, never, LONG_MS));
      const killed = await killListeners();
      assert.ok(killed >= 1);
      await database.transact((tx) => put(tx, 'unheard', 1));
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]));
      const woken = beside.wakeups.wait('again', never, LONG_MS);
      await notify(database, 'again');
      assert.equal(await woken, true);
    });
  });
}

async function killListeners(): Promise<number> {
  const { rows } = await sql<{ gone: boolean }>`
    select pg_terminate_backend(pid) as gone from pg_stat_activity
    where query like 'listen %' and datname = current_database()`.execute(database.db);
  return rows.length;
}

if (isPostgres) {
  describe('a malformed notification', () => {
    it('is reported, and later ones arrive', async () => {
      const faults: Error[] = [];
      const own = new Database(openPostgres(under.url ?? '', (error) => void faults.push(error)));
      try {
        const received: string[] = [];
        const connected = Promise.withResolvers<void>();
        own.topics.subscribe('numbers', {
          onMessage: (message) => received.push(JSON.parse(message).n),
          onReconnect: connected.resolve,
        });
        own.topics.connect();
        await connected.promise;
        for (const message of ['no JSON', '{"n":1}']) database.topics.publish('numbers', message, message);
        await waitUntil('the good message arrives', () => received.length > 0);
        assert.match(String(faults[0]), /A notification of the database could not be read/);
      } finally {
        await own.close();
      }
    });
  });
}
