// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Activity } from '../../src/activity/activity.ts';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('requests', onSqlite, () => {
  test('to the API are counted on all instances, with or without a login, whatever the answer', async () => {
    const holdall = await startHoldall();
    const beside = await startHoldall({ beside: holdall });
    const admin = await holdall.admin();
    const view = asAdmin(admin);
    // Starts early in an hour, so that all calls of this test fall into that hour.
    holdall.clock.advance(msUntilNextDay(holdall.clock.now(), 7, 5));
    await admin.logIn('the admin of these tests');
    await holdall.app.activity.flush();
    const before = await view.summary();
    const { anonymous } = holdall;
    await anonymous.ask('GET', '/api/v2/site/ping');
    await anonymous.call('GET', '/api/user/profile');
    await anonymous.call('GET', '/api/there/is/nothing');
    await anonymous.ask('GET', '/');
    await anonymous.ask('GET', '/health/live');
    await anonymous.fetch('GET', '/metrics');
    for (let count = 0; count < 4; count += 1) await beside.anonymous.ask('GET', '/api/v2/site/ping');
    await beside.app.activity.flush();
    const after = await view.summary();
    // Three calls at one instance, four at the other, and this call itself.
    assert.equal(after.requestCount, before.requestCount + 8);
    assert.deepEqual(
      after.requestTimeline.map(({ hour, label }) => [hour, label]),
      Array.from({ length: 8 }, (_, hour) => [hour, `0${hour}:00`]),
    );
    assert.equal(after.requestTimeline[7]?.requestCount, after.requestCount);
    assert.equal(after.requestTimeline[6]?.requestCount, 0);
    holdall.clock.advance(HOUR);
    await admin.logIn('the admin of these tests');
    const later = await view.summary();
    assert.equal(later.requestTimeline.length, 9);
    assert.equal(later.requestTimeline[7]?.requestCount, after.requestCount);
    assert.equal(later.requestTimeline[8]?.requestCount, 2);
  });

  test('are counted per hour and day of the configured time zone', async () => {
    // The offset includes half an hour, and is large enough to change the date.
    const holdall = await startHoldall({ env: { HOLDALL_TIME_ZONE: 'Asia/Kolkata' } });
    holdall.clock.advance(msUntilNextDay(holdall.clock.now(), 20, 35));
    const admin = await holdall.admin();
    const view = asAdmin(admin);
    const early = await view.summary();
    assert.deepEqual(
      early.requestTimeline.map(({ label }) => label),
      ['00:00', '01:00', '02:00'],
    );
    assert.equal(early.requestTimeline[2]?.requestCount, early.requestCount);
    assert.ok(early.requestCount >= 2);
    const tomorrow = new Date(holdall.clock.now() + DAY).toISOString().slice(0, 10);
    const today = early.dailyActiveUsers.at(-1);
    assert.deepEqual([today?.date, today?.usernames], [tomorrow, ['admin']]);
    const settings = await admin.ask<{ timeZone: string }>('GET', '/api/admin/settings');
    assert.match(settings.timeZone, /^Asia\/(Kolkata|Calcutta)$/);
    // In local time, it is still the evening before.
    holdall.clock.advance(msUntilNextDay(holdall.clock.now(), 18, 20));
    await admin.logIn('the admin of these tests');
    const late = await view.summary();
    assert.equal(late.requestTimeline.length, 24);
    holdall.clock.advance(20 * 60_000);
    await admin.logIn('the admin of these tests');
    const next = await view.summary();
    assert.deepEqual([next.requestTimeline.length, next.requestCount], [1, 2]);
    assert.notEqual(next.dailyActiveUsers.at(-1)?.date, late.dailyActiveUsers.at(-1)?.date);
  });

  test('are counted in one write every few seconds', async () => {
    const statements: string[] = [];
    const holdall = await startHoldall({ onQuery: ({ sql: text }) => statements.push(text) });
    await holdall.app.activity.flush();
    statements.length = 0;
    for (let count = 0; count < 50; count += 1) await holdall.anonymous.ask('GET', '/api/v2/site/ping');
    await holdall.app.activity.flush();
    const writes = statements.filter((text) => text.includes('request_count'));
    assert.ok(writes.length >= 1 && writes.length < 10, `${writes.length} writes`);
  });
});

describe('people', () => {
  test(
    'count as active on days with authenticated calls, and the last seven days are shown',
    onSqlite,
    async () => {
      const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '30d' } });
      const beside = await startHoldall({ beside: holdall });
      const admin = await holdall.admin();
      const view = asAdmin(admin);
      holdall.clock.advance(msUntilNextDay(holdall.clock.now(), 12, 0));
      const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
      const names = async () => (await view.summary()).dailyActiveUsers.map(({ usernames }) => usernames);
      // Logins, public calls and rejected calls are not authenticated calls.
      await bob.ask('GET', '/api/v2/site/ping');
      await bob.refused(403, 1002, 'GET', '/api/admin/summary');
      await ann.list();
      await ann.list();
      const elsewhere = new Person(ann.username, beside.url);
      elsewhere.login = ann.login;
      await elsewhere.list();
      await beside.app.activity.flush();
      assert.deepEqual(await names(), [[], [], [], [], [], [], ['admin', ann.username]]);
      holdall.clock.advance(2 * DAY);
      await bob.list();
      const { dailyActiveUsers } = await view.summary();
      assert.deepEqual(
        dailyActiveUsers.map(({ userCount }) => userCount),
        [0, 0, 0, 0, 2, 0, 2],
      );
      const dates = dailyActiveUsers.map(({ date }) => date);
      assert.deepEqual(dates, dates.toSorted());
      assert.equal(dates.at(-1), new Date(holdall.clock.now()).toISOString().slice(0, 10));
      assert.match(dailyActiveUsers[0]?.label ?? '', /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d\d-\d\d$/);
      holdall.clock.advance(5 * DAY);
      assert.deepEqual(
        (await names()).map((list) => list.length),
        [0, 2, 0, 0, 0, 0, 1],
      );
    },
  );

  test('have a last activity, which never goes back', async () => {
    const { database } = await openTestDatabase();
    const clock = new TestClock();
    await insertAccounts(database, 1);
    const [first, second] = [newActivity(database, clock), newActivity(database, clock)];
    first.recordActiveAccount(1);
    clock.advance(1_000);
    second.recordActiveAccount(1);
    await second.flush();
    const last = await lastActivity(database);
    await first.flush();
    assert.equal(await lastActivity(database), last);
  });
});

describe('what is counted', () => {
  test('adds up when several instances write at the same time', async () => {
    const { database } = await openTestDatabase();
    const clock = new TestClock();
    await insertAccounts(database, 40);
    const instances = [1, 2, 3].map(() => newActivity(database, clock));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        instances.map(async (activity, index) => {
          for (let id = 1; id <= 40; id += 1) {
            activity.countRequest();
            activity.recordActiveAccount(index % 2 === 0 ? id : 41 - id);
          }
          await activity.flush();
        }),
      );
    }
    assert.equal(await countRequests(database), 3 * 5 * 40);
    const days = await instances[0]?.getDailyActiveUsers();
    assert.equal(new Set(days?.flatMap(({ usernames }) => usernames)).size, 40);
  });

  test('is written in batches if it is too much for one statement', onSqlite, async () => {
    const { database } = await openTestDatabase();
    const activity = newActivity(database, new TestClock());
    await insertAccounts(database, 1_203);
    for (let id = 1; id <= 1_203; id += 1) activity.recordActiveAccount(id);
    await activity.flush();
    const days = await activity.getDailyActiveUsers();
    assert.equal(Math.max(...days.map(({ userCount }) => userCount)), 1_203);
  });

  test('is kept when a write fails, and written the next time', onSqlite, async (context) => {
    const { database } = await openTestDatabase();
    const activity = newActivity(database, new TestClock());
    await insertAccounts(database, 2);
    activity.countRequest();
    activity.recordActiveAccount(1);
    const transact = context.mock.method(database, 'transact', () => Promise.reject(new Error('away')));
    await assert.rejects(activity.flush(), /away/);
    activity.countRequest();
    activity.recordActiveAccount(2);
    transact.mock.restore();
    await activity.flush();
    assert.equal(await countRequests(database), 2);
    const days = await activity.getDailyActiveUsers();
    assert.equal(
      days.reduce((sum, { userCount }) => sum + userCount, 0),
      2,
    );
  });

  test('is written when the service stops gracefully', onSqlite, async () => {
    const holdall = await startHoldall();
    const { storage, dataDir, databaseUrl, clock } = holdall;
    const config = readConfig({
      ...{ HOLDALL_PORT: '0', HOLDALL_DATA_DIR: dataDir, HOLDALL_DATABASE_URL: databaseUrl },
      ...{ HOLDALL_LOG_LEVEL: 'fatal', ...storage.env },
    });
    await holdall.app.activity.flush();
    const before = await countRequests(holdall.app.database);
    const app = await createApp(config, { clock });
    const url = await app.listen();
    await Promise.all(
      Array.from({ length: 25 }, async () => (await fetch(`${url}/api/v2/site/ping`)).arrayBuffer()),
    );
    await app.close();
    assert.equal(await countRequests(holdall.app.database), before + 25);
  });

  test('is deleted after 60 days', onSqlite, async () => {
    const { database } = await openTestDatabase();
    const clock = new TestClock();
    const activity = newActivity(database, clock);
    await insertAccounts(database, 1);
    activity.countRequest();
    activity.recordActiveAccount(1);
    await activity.flush();
    clock.advance(59 * DAY);
    await activity.deleteExpired();
    assert.equal(await countRequests(database), 1);
    clock.advance(3 * DAY);
    await activity.deleteExpired();
    assert.equal(await countRequests(database), 0);
  });
});

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>['database'];

function newActivity(database: TestDatabase, clock: TestClock): Activity {
  return new Activity({
    ...{ database, clock, timeZone: 'UTC' },
    onFault: (error) => assert.fail(String(error)),
  });
}

async function insertAccounts(database: TestDatabase, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `person-${String(index + 1).padStart(5, '0')}`;
    return {
      ...{
        username: name,
        folded_username: name,
        display_name: name,
        role: 'USER' as const,
        banned: 0 as const,
      },
      ...{
        created_at: 1,
        updated_at: 1,
      },
      ...{ email: null, folded_email: null, phone_number: null, password_hash: null },
      ...{ bio: null, preferred_language: null, avatar_blob_id: null },
    };
  });
  await database.transact(async (tx) => {
    for (let start = 0; start < rows.length; start += 100) {
      await tx
        .insertInto('account')
        .values(rows.slice(start, start + 100))
        .execute();
    }
  });
}

async function lastActivity(database: TestDatabase): Promise<number> {
  const row = await database.db.selectFrom('last_activity').select('active_at').executeTakeFirstOrThrow();
  return row.active_at;
}

async function countRequests(database: TestDatabase): Promise<number> {
  const { rows } = await sql<{ requests: number }>`
    select cast(coalesce(sum(requests), 0) as bigint) as requests from request_count`.execute(database.db);
  return rows[0]?.requests ?? 0;
}

/** Returns the milliseconds from the instant to a time of the next day. */
function msUntilNextDay(now: number, hour: number, minute: number): number {
  return Math.ceil(now / DAY) * DAY + hour * HOUR + minute * 60_000 - now;
}

test('all active users of a day are counted, but at most 1,000 are named', inFull, async () => {
  const holdall = await startHoldall();
  const admin = await holdall.admin();
  const { database } = holdall.app;
  const { id: _id, ...row } = await database.db
    .selectFrom('account')
    .selectAll()
    .where('username', '=', 'admin')
    .executeTakeFirstOrThrow();
  const names = Array.from({ length: 1_005 }, (_, index) => `z${index}`);
  const accounts = names.map((name) => ({
    ...row,
    ...{ username: name, folded_username: name, email: `${name}@x.org`, folded_email: `${name}@x.org` },
    ...{ phone_number: null, avatar_blob_id: null },
  }));
  await asAdmin(admin).summary();
  await database.transact(async (tx) => {
    for (let from = 0; from < accounts.length; from += 335) {
      await tx
        .insertInto('account')
        .values(accounts.slice(from, from + 335))
        .execute();
    }
    await sql`insert into active_day (day, account_id)
      select (select max(day) from active_day), id from account where username like 'z%'`.execute(tx);
  });
  const today = (await asAdmin(admin).summary()).dailyActiveUsers.at(-1);
  assert.deepEqual([today?.userCount, today?.usernames.length], [1_006, 1_000]);
});
