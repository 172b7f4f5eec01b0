// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { chmod, type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Failure } from '../../src/base/failure.ts';
import { Database, type Tx } from '../../src/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/database/migrator.ts';
import { addOne, find, put } from '../support/database/numbers.ts';
import { openEngine, openTestDatabase, sqliteFile } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { Gate } from '../support/network/gate.ts';

const under = await openTestDatabase();
const { database } = under;

if (isPostgres) describeOnPostgres();
else describeOnSqlite();

function describeOnSqlite(): void {
  describe('SQLite', () => {
    afterEach(() => mock.restoreAll());

    it('rejects a statement that writes outside a transaction', async () => {
      await assert.rejects(put(database.db, 'outside', 1), /must run in a transaction/);
      await assert.rejects(
        sql`insert into lease (name, holder, expires_at) values ('outside', '', 1) returning name`.execute(
          database.db,
        ),
        /must run in a transaction/,
      );
      assert.equal(await find(database.db, 'outside'), undefined);
    });

    it('shares one flush among concurrent commits', async () => {
      const flushes = await countFlushes();
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => database.transact((tx) => put(tx, `flush-${index}`, 1))),
      );
      const count = flushes.mock.callCount();
      assert.ok(count >= 1 && count <= 100, `${count} flushes for 200 commits`);
    });

    it('flushes after each commit when commits are sequential', async () => {
      const flushes = await countFlushes();
      for (let index = 0; index < 5; index += 1) {
        await database.transact((tx) => put(tx, `alone-${index}`, 1));
      }
      assert.equal(flushes.mock.callCount(), 5);
    });

    it('flushes nothing after a volatile commit, but others see the commit', async () => {
      const flushes = await countFlushes();
      await database.transactVolatile((tx) => put(tx, 'volatile', 1));
      assert.equal(flushes.mock.callCount(), 0);
      assert.equal(await find(database.db, 'volatile'), 1);
    });

    it('acknowledges nothing after a failed flush', async () => {
      const beside = await openTestDatabase();
      const prototype = await handlePrototype();
      const failing = mock.method(prototype, 'datasync', async () => {
        throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
      });
      await assert.rejects(
        beside.database.transact((tx) => put(tx, 'lost', 1)),
        isUnavailable,
      );
      // The kernel reports lost pages only once: the next flush would succeed.
      failing.mock.restore();
      await assert.rejects(
        beside.database.transact((tx) => put(tx, 'behind-the-lost', 1)),
        isUnavailable,
      );
    });

    it('retries the flush of the directory that contains the log', async () => {
      const beside = await openTestDatabase({ migrated: false });
      const prototype = await handlePrototype();
      let failures = 1;
      const { sync } = prototype;
      const syncs = mock.method(prototype, 'sync', function (this: FileHandle) {
        failures -= 1;
        if (failures < 0) return sync.call(this);
        return Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
      });
      const creating = beside.database.transact((tx) => sql`create table t (n integer)`.execute(tx));
      await assert.rejects(creating, /EIO/);
      await beside.database.check();
      await beside.database.check();
      assert.equal(syncs.mock.callCount(), 2);
    });

    it('creates files that other users cannot read, even in a directory that everyone can read', async () => {
      const directory = await mkdtemp(path.join(tmpdir(), 'holdall-private-'));
      await chmod(directory, 0o755);
      const beside = new Database(openEngine(undefined, directory));
      try {
        await beside.transact((tx) => sql`create table t (n integer)`.execute(tx));
        for (const end of ['', '-wal', '-shm']) {
          const { mode } = await stat(`${sqliteFile(directory)}${end}`);
          assert.equal(mode & 0o777, 0o600, `holdall.db${end}`);
        }
      } finally {
        await beside.close();
        await rm(directory, { recursive: true });
      }
    });

    it('makes the transactions of several connections in one process wait for each other', async () => {
      const beside = under.openSecondHandle();
      const writes = [database, beside, database, beside].map((each) =>
        each.transact(async (tx) => {
          await addOne(tx, 'together');
          for (let turn = 0; turn < 10; turn += 1) await setImmediate();
        }),
      );
      await Promise.all(writes);
      assert.equal(await find(database.db, 'together'), writes.length);
    });

    it('is unavailable while another process locks the file, and works afterwards', inFull, async () => {
      const other = new Sqlite(sqliteFile(under.directory));
      other.exec('begin immediate');
      await assert.rejects(
        database.transact((tx) => put(tx, 'held', 1)),
        isUnavailable,
      );
      other.exec('commit');
      other.close();
      await database.transact((tx) => put(tx, 'held', 1));
    });
  });
}

function describeOnPostgres(): void {
  describe('PostgreSQL', () => {
    it('retries a transaction that lost a deadlock', async () => {
      await database.transact(async (tx) => {
        await put(tx, 'left', 0);
        await put(tx, 'right', 0);
      });
      let runs = 0;
      let calls = 0;
      const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      const crosswise = (first: 'left' | 'right', mine: 0 | 1) =>
        database.transact(async (tx) => {
          runs += 1;
          database.afterCommit(tx, () => {
            calls += 1;
          });
          await addOne(tx, first);
          met[mine].resolve();
          await met[mine === 0 ? 1 : 0].promise;
          await addOne(tx, first === 'left' ? 'right' : 'left');
        });
      await Promise.all([crosswise('left', 0), crosswise('right', 1)]);
      // The loser may retry before the winner wakes up. It then locks its row again and loses again.
      assert.ok(runs >= 3, `only ${runs} runs`);
      assert.equal(calls, 2);
      assert.deepEqual([await find(database.db, 'left'), await find(database.db, 'right')], [2, 2]);
    });

    for (const code of ['40P01', '40001']) {
      it(`is unavailable when a transaction keeps failing with ${code} after all retries`, async () => {
        let runs = 0;
        const failing = database.transact(async (tx) => {
          runs += 1;
          await sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(tx);
        });
        await assert.rejects(failing, isUnavailable);
        assert.equal(runs, 5);
      });
    }

    it('waits for a flush after an ordinary commit, but not after a volatile one', async () => {
      const show = async (tx: Tx) => {
        const { rows } = await sql<{ setting: string }>`
          select current_setting('synchronous_commit') as setting`.execute(tx);
        return rows[0]?.setting;
      };
      assert.equal(await database.transactVolatile(show), 'off');
      assert.equal(await database.transact(show), 'on');
    });

    it('commits durably even if the database has synchronous_commit off', async () => {
      const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(
        database.db,
      );
      const setFor = (value: string) =>
        sql`alter database ${sql.ref(names[0]?.name ?? '')} set synchronous_commit = ${sql.lit(value)}`;
      for (const [configured, expected] of [
        ['off', 'on'],
        ['local', 'on'],
        ['remote_apply', 'remote_apply'],
      ] as const) {
        await setFor(configured).execute(database.db);
        const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(
          under.openSecondHandle().db,
        );
        assert.deepEqual(rows, [{ synchronous_commit: expected }]);
      }
    });

    it('is unavailable when a statement takes too long', async () => {
      const slow = database.transact(async (tx) => {
        await sql`set local statement_timeout = 50`.execute(tx);
        await sql`select pg_sleep(5)`.execute(tx);
      });
      await assert.rejects(slow, isUnavailable);
    });

    it('rejects an integer that a JavaScript number cannot represent', async () => {
      const { rows } = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(database.db);
      assert.equal(rows[0]?.n, Number.MAX_SAFE_INTEGER);
      await assert.rejects(
        sql`select 9007199254740993::bigint as n`.execute(database.db),
        /9007199254740993 does not fit/,
      );
      await database.transact((tx) => put(tx, 'well-after-integers', 1));
    });

    it('rejects even if the work swallows the error of a statement', async () => {
      const swallowing = database.transact(async (tx) => {
        await put(tx, 'swallowed', 1);
        await sql`select 1 / 0`.execute(tx).catch(() => undefined);
      });
      await assert.rejects(swallowing);
      assert.equal(await find(database.db, 'swallowed'), undefined);
    });

    it('is unavailable when its connection breaks inside a transaction', async () => {
      const other = under.openSecondHandle();
      const breaking = database.transact(async (tx) => {
        await put(tx, 'broken', 1);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.db);
        await put(tx, 'broken-too', 1);
      });
      await assert.rejects(breaking, isUnavailable);
      assert.equal(await find(database.db, 'broken'), undefined);
    });

    it('is unavailable while it cannot be reached, and works again afterwards', async () => {
      const url = new URL(under.url ?? '');
      const gate = new Gate({ host: url.hostname, port: Number(url.port) });
      await gate.open();
      url.port = String(gate.port);
      const behind = new Database(openEngine(url.href, ''));
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => behind.transact((tx) => put(tx, `gate-${index}`, 1))),
      );
      const underWay = Promise.withResolvers<void>();
      const cut = behind.transact(async (tx) => {
        await put(tx, 'cut', 1);
        await underWay.promise;
        await put(tx, 'cut-too', 1);
      });
      await find(behind.db, 'cut');
      await gate.close();
      underWay.resolve();
      await assert.rejects(cut, isUnavailable);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await assert.rejects(
          behind.transact((tx) => put(tx, 'away', 1)),
          isUnavailable,
        );
      }
      const error = await find(behind.db, 'away').catch((thrown: unknown) => thrown);
      assert.ok(isUnavailable(behind.translate(error)));
      await gate.open();
      await behind.transact((tx) => put(tx, 'back', 1));
      assert.equal(await find(behind.db, 'back'), 1);
      assert.equal(await find(behind.db, 'cut'), undefined);
      await behind.close();
      await gate.close();
    });
  });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable' && (error.retryAfterSeconds ?? 0) > 0;
}

async function countFlushes() {
  return mock.method(await handlePrototype(), 'datasync');
}

/** Returns the prototype of all file handles. */
async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(sqliteFile(under.directory), 'r');
  await handle.close();
  return Object.getPrototypeOf(handle);
}

describe('a migration that builds long indexes', () => {
  it('builds them in new and in existing databases', async () => {
    const step = { name: '9999-index', indexes: () => [{ name: 'setting__long', on: 'setting (value)' }] };
    for (const migrated of [false, true]) {
      const { database } = await openTestDatabase({ migrated });
      await migrate(database, [...MIGRATIONS, step]);
      const { rows } = await sql<{ name: string }>`select max(name) as name from schema_step`.execute(
        database.db,
      );
      assert.deepEqual(rows, [{ name: step.name }]);
      await database.transact((tx) => sql`drop index setting__long`.execute(tx));
    }
  });
});
