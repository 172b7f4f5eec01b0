// tier: default
// runs on: postgres
// Connections to PostgreSQL that die without being closed.
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Failure } from '../../src/base/failure.ts';
import { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD } from '../support/app/person.ts';
import { addOne, find, put } from '../support/database/numbers.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { Gate } from '../support/network/gate.ts';
import { SilentProxy } from '../support/network/silent-proxy.ts';

/** Short limits, so that the tests are short. */
const POSTGRES = {
  watchLimits: { silenceMs: 300, answerMs: 1_000, everyMs: 100 },
  connectTimeoutMs: 1_000,
};

/** The number of idle connections in the pool when they become silent. */
const IDLE = 6;

async function openProxy(databaseUrl: string): Promise<{ proxy: SilentProxy; url: string }> {
  const url = new URL(databaseUrl);
  const proxy = new SilentProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(await proxy.open());
  return { proxy, url: url.href };
}

describe('a service whose database connections are silent', async () => {
  const first = await startHoldall();
  const { proxy, url } = await openProxy(first.databaseUrl ?? '');
  first.endBeforeRemoval(() => proxy.close());
  const env = { HOLDALL_DATABASE_URL: url };
  const holdall = await startHoldall({ beside: first, env, postgres: POSTGRES });
  const alice = await holdall.register('alice');
  await alice.mkdir('/photos');

  afterEach(() => proxy.thaw());

  const list = () => alice.call('GET', '/api/files/list?path=/');
  const fillPool = () =>
    Promise.all(
      Array.from({ length: IDLE }, () => sql`select pg_sleep(0.05)`.execute(holdall.app.database.db)),
    );

  it('answers 503 to requests that waited for them, and works normally afterwards', async () => {
    await fillPool();
    proxy.silence();
    const answers = await Promise.all([list(), list(), holdall.anonymous.call('GET', '/health/ready')]);
    for (const { status } of answers) assert.ok([200, 503].includes(status), `status ${status}`);
    // The rest of the pool was also silent, but requests did not wait for each connection.
    const next = await Promise.all(Array.from({ length: IDLE }, list));
    assert.deepEqual([...new Set(next.map(({ status }) => status))], [200]);
    await alice.mkdir('/afterwards');
  });

  it('answers 503 to every request while the database is frozen, and works when it is back', async () => {
    await fillPool();
    proxy.freeze();
    const login = { username: alice.username, password: PASSWORD };
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, list),
      holdall.anonymous.call('GET', '/health/ready'),
      holdall.anonymous.call('POST', '/api/auth/login', { body: login }),
    ]);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
    proxy.thaw();
    await waitUntil('the drive is listed', async () => (await list()).status === 200);
    const { status } = await holdall.anonymous.call('GET', '/health/ready');
    assert.equal(status, 200);
  });
});

describe('a start while the database cannot be reached', async () => {
  const first = await startHoldall();
  const url = new URL(first.databaseUrl ?? '');
  const gate = new Gate({ host: url.hostname, port: Number(url.port) });
  await gate.open();
  await gate.close();
  first.endBeforeRemoval(() => gate.close());
  url.hostname = '127.0.0.1';
  url.port = String(gate.port);

  it('waits until the database can be reached', async () => {
    const said: string[] = [];
    const stream = {
      write: (line: string) => {
        said.push(line);
        if (line.includes('The start waits for it.')) void gate.open();
      },
    };
    const env = { HOLDALL_DATABASE_URL: url.href, HOLDALL_DATABASE_WAIT: '5m' };
    const { anonymous } = await startHoldall({ beside: first, env, logger: pino({ level: 'warn' }, stream) });
    assert.equal((await anonymous.call('GET', '/health/ready')).status, 200);
    assert.equal(said.filter((line) => line.includes('The start waits for it.')).length, 1);
  });
});

describe('a database client with silent connections', async () => {
  const { database: direct, url: directUrl } = await openTestDatabase();
  const { proxy, url } = await openProxy(directUrl ?? '');
  const database = new Database(openPostgres(url, () => {}, { ...POSTGRES, maxConnections: 2 }));
  after(async () => {
    await database.close();
    await proxy.close();
  });

  it('fails a transaction between two statements, and releases its locks', async () => {
    await database.transact((tx) => put(tx, 'locked', 0));
    const failing = database.transact(async (tx) => {
      await addOne(tx, 'locked');
      proxy.silence();
      await addOne(tx, 'locked');
    });
    await assert.rejects(failing, isUnavailable);
    // Without the release, the server would keep the lock for a minute.
    await database.transact((tx) => addOne(tx, 'locked'));
    assert.equal(await find(database.db, 'locked'), 1);
  });

  it('fails a statement whose answer is lost, and frees its place in the pool', async () => {
    for (let round = 0; round < 3; round += 1) {
      const sleeping = [0, 1].map(() =>
        database.transact((tx) => sql`select pg_sleep(0.5)`.execute(tx)).catch((error: unknown) => error),
      );
      await waitUntil('both connections are used', () => proxy.liveConnections >= 2);
      await waitUntil('the statements run', async () => (await countSleeping()) === 2);
      proxy.silence();
      for (const error of await Promise.all(sleeping)) assert.ok(isUnavailable(error));
    }
    assert.equal(await find(database.db, 'locked'), 1);
  });

  it('lets a statement run for as long as the server works on it', inFull, async () => {
    const { silenceMs, everyMs } = POSTGRES.watchLimits;
    await sql`select pg_sleep(${(silenceMs + everyMs) * 0.003})`.execute(database.db);
    const blocked = Promise.withResolvers<void>();
    const holder = database.transact(async (tx) => {
      await addOne(tx, 'locked');
      await blocked.promise;
    });
    const waiting = database.transact((tx) => addOne(tx, 'locked'));
    setTimeout(blocked.resolve, (silenceMs + everyMs) * 3);
    await Promise.all([holder, waiting]);
    assert.equal(await find(database.db, 'locked'), 3);
  });

  /** Counts over a direct connection, because the pool is used up. */
  async function countSleeping(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where query like 'select pg_sleep(0.5)%' and state = 'active'
        and datname = current_database()`.execute(direct.db);
    return rows[0]?.count ?? 0;
  }
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}
