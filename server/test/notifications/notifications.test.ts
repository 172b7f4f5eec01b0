// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { DAY } from '../../src/base/clock.ts';
import {
  DEFAULT_DELIVERY,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
} from '../../src/base/domain/notifications.ts';
import type { Db } from '../../src/database/database.ts';
import type { Told } from '../../src/notifications/notifications.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { lettersTo, MAIL_ENVIRONMENT, verifyEmail } from '../support/mail/letters.ts';
import {
  dataOf,
  listNotifications,
  NOTIFICATIONS,
  readAll,
  SETTINGS,
} from '../support/notifications/listed.ts';

const env = { ...MAIL_ENVIRONMENT, HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const elsewhere = isPostgres ? await startHoldall({ env, beside: holdall }) : holdall;
const { app, clock } = holdall;

/** One notification of each kind. */
const EXAMPLES: { readonly [K in NotificationKind]: Extract<Notification, { kind: K }>['data'] } = {
  DRIVE_MEMBER: { driveId: 1, driveName: 'Plans', role: 'EDITOR', isNew: true, byName: null },
  LINK_FILES: {
    ...{ linkId: 1, title: 'Photos', driveId: 1, driveName: null, directoryId: 2 },
    ...{ files: 2, bytes: 10, senders: ['Ada'] },
  },
  TRANSFER_FETCHED: { files: 1, fileName: 'a.txt' },
  SHARE_ENDED: { of: 'SHARE', id: 1, name: 'a', driveId: 1, reason: 'EXPIRES_SOON', expiresAt: 1 },
  SECURITY: { event: 'NEW_LOGIN', program: 'Firefox', address: '192.0.2.7' },
  DRIVE_FULL: { driveId: 1, driveName: null, usedBytes: 95, quotaBytes: 100 },
  TASK_FAILED: { taskId: 1, type: 'ARCHIVE', driveId: 1, error: 'It is too large.' },
  SERVICE_FAULT: { fault: 'JOB', name: 'sweep the store', message: 'It failed.' },
};

const exampleOf = (kind: NotificationKind) => ({ kind, data: EXAMPLES[kind] }) as Notification;
const tell = (accountIds: readonly number[], notification: Notification) =>
  app.database.transact((tx) => app.notifications.notify(tx, accountIds, notification));
const fetched = (fileName: string): Notification => ({
  kind: 'TRANSFER_FETCHED',
  data: { files: 1, fileName },
});
const read = (person: Person, body: object) =>
  person.ask<{ unread: number }>('POST', `${NOTIFICATIONS}/read`, { body });

describe('the list of notifications', () => {
  test('has every kind with its data, the newest first', async () => {
    const person = await holdall.register();
    for (const kind of NOTIFICATION_KINDS) await tell([person.id], exampleOf(kind));
    const { items, ...page } = await listNotifications(person);
    const count = NOTIFICATION_KINDS.length;
    assert.deepEqual(page, { total: count, page: 0, size: 20, unread: count });
    assert.deepEqual(
      items.map(({ kind, data, readAt }) => ({ kind, data, readAt })),
      NOTIFICATION_KINDS.map((kind) => ({ ...exampleOf(kind), readAt: null })).reverse(),
    );
    assert.match(items[0]?.at ?? '', /^\d{4}-.*Z$/);
  });

  test('has pages, and can leave out what was read', async () => {
    const person = await holdall.register();
    for (const name of ['a', 'b', 'c']) await tell([person.id], fetched(name));
    const all = await listNotifications(person);
    const ids = all.items.map(({ id }) => id);
    const second = await listNotifications(person, '?page=1&size=1');
    assert.deepEqual([second.items[0]?.id, second.items.length, second.total], [ids[1], 1, 3]);
    assert.deepEqual(await read(person, { ids: [ids[1]] }), { unread: 2 });
    const unread = await listNotifications(person, '?unread=true');
    assert.deepEqual(
      unread.items.map(({ id }) => id),
      [ids[0], ids[2]],
    );
    assert.deepEqual([unread.total, unread.unread], [2, 2]);
  });

  test('leaves out kinds that only a newer version knows, also in the counts', async () => {
    const person = await holdall.register();
    await app.database.transact((tx) =>
      tx
        .insertInto('notification')
        .values({ account_id: person.id, kind: 'X' as NotificationKind, data: '{}', created_at: clock.now() })
        .execute(),
    );
    await tell([person.id], fetched('a'));
    const { items, total, unread } = await listNotifications(person);
    assert.deepEqual([items.map(({ kind }) => kind), total, unread], [['TRANSFER_FETCHED'], 1, 1]);
    assert.deepEqual(await read(person, { ids: [items[0]?.id] }), { unread: 0 });
    assert.equal((await listNotifications(person, '?unread=true')).total, 0);
  });

  test('belongs to one account', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await tell([ann.id], fetched('a'));
    const [item] = (await listNotifications(ann)).items;
    assert.deepEqual(await read(bob, { ids: [item?.id], until: item?.id }), { unread: 0 });
    assert.equal((await listNotifications(ann)).unread, 1);
    assert.equal((await listNotifications(bob)).total, 0);
  });

  test('is closed to app passwords', async () => {
    const person = await holdall.register();
    const { password } = await createAppPassword(person);
    const headers = { authorization: `Bearer ${password}` };
    for (const [method, path] of [
      ['GET', NOTIFICATIONS],
      ['GET', SETTINGS],
    ] as const) {
      assert.equal((await person.fetch(method, path, { headers })).status, 403);
    }
  });
});

describe('reading', () => {
  test('marks everything up to an id, and keeps when something was first read', async () => {
    const person = await holdall.register();
    for (const name of ['a', 'b', 'c']) await tell([person.id], fetched(name));
    const [newest, middle, oldest] = (await listNotifications(person)).items;
    assert.deepEqual(await read(person, { until: middle?.id }), { unread: 1 });
    const before = (await listNotifications(person)).items;
    assert.deepEqual(
      before.map(({ readAt }) => readAt !== null),
      [false, true, true],
    );
    clock.advance(1_000);
    assert.deepEqual(await read(person, { ids: [oldest?.id, newest?.id] }), { unread: 0 });
    const [, , last] = (await listNotifications(person)).items;
    assert.equal(last?.readAt, before[2]?.readAt);
    assert.deepEqual(await read(person, {}), { unread: 0 });
  });

  test('accepts at most 100 ids', async () => {
    const person = await holdall.register();
    const ids = Array.from({ length: 101 }, (_, index) => index + 1);
    await person.refused(400, 2400, 'POST', `${NOTIFICATIONS}/read`, { body: { ids } });
  });
});

describe('the settings', () => {
  test('begin with the defaults, and decide what the account is told in the app and by mail', async () => {
    const person = await holdall.register();
    const email = await verifyEmail(holdall, person);
    const before = await person.ask<Record<string, object>>('GET', SETTINGS);
    const expected = NOTIFICATION_KINDS.map((kind) => {
      const { app: inApp, mail } = DEFAULT_DELIVERY[kind];
      return [kind, { app: inApp, mail: mail !== 'off', isMailFixed: mail === 'always' }];
    });
    assert.deepEqual(before, Object.fromEntries(expected));
    const body = {
      DRIVE_FULL: { app: false, mail: true },
      TRANSFER_FETCHED: { app: true, mail: true },
      DRIVE_MEMBER: { app: true, mail: false },
      SERVICE_FAULT: { app: false, mail: false },
    };
    const changed = await person.ask<Record<string, object>>('PUT', SETTINGS, { body });
    assert.deepEqual(changed.DRIVE_FULL, { app: false, mail: true, isMailFixed: false });
    assert.deepEqual(changed, await person.ask('GET', SETTINGS));
    assert.deepEqual(changed.LINK_FILES, before.LINK_FILES);
    for (const kind of NOTIFICATION_KINDS) await tell([person.id], exampleOf(kind));
    const kinds = (await listNotifications(person)).items.map(({ kind }) => kind);
    const missing = NOTIFICATION_KINDS.filter((kind) => !kinds.includes(kind));
    assert.deepEqual(missing, ['DRIVE_FULL', 'SERVICE_FAULT']);
    const mailed = (await lettersTo(holdall, email)).map(({ letter }) => letter.kind);
    assert.deepEqual(mailed.filter((kind) => kind !== 'VERIFICATION').sort(), [
      ...['DRIVE_FULL', 'LINK_FILES', 'SECURITY', 'TRANSFER_FETCHED'],
    ]);
  });

  test('cannot turn off mail about the security of the account', async () => {
    const person = await holdall.register();
    const body = { LINK_FILES: { app: false, mail: false }, SECURITY: { app: true, mail: false } };
    const { msg } = await person.refused(400, 1000, 'PUT', SETTINGS, { body });
    assert.match(msg, /security/i);
    const settings = await person.ask<Record<string, { app: boolean }>>('GET', SETTINGS);
    assert.equal(settings.LINK_FILES?.app, true, 'nothing was changed');
    await person.ask('PUT', SETTINGS, { body: { SECURITY: { app: false, mail: true } } });
  });
});

describe('a notification', () => {
  test('is mailed to a verified address only, in the language of the account', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const email = await verifyEmail(holdall, ann);
    await ann.ask('PUT', '/api/user/profile', { body: { preferredLanguage: 'zh-CN' } });
    await tell([ann.id, bob.id], exampleOf('DRIVE_FULL'));
    const letters = (await lettersTo(holdall, email)).filter(({ letter }) => letter.kind === 'DRIVE_FULL');
    assert.deepEqual(letters, [
      {
        ...{ accountId: ann.id, language: 'zh-CN' },
        letter: { kind: 'DRIVE_FULL', ...EXAMPLES.DRIVE_FULL },
      },
    ]);
    const toBob = await lettersTo(holdall, `${bob.username}@example.org`);
    assert.deepEqual(
      toBob.map(({ letter }) => letter.kind),
      ['VERIFICATION'],
    );
  });

  test('reaches each account once, and no account that is banned or being deleted', async () => {
    const [ann, bob, eve] = [await holdall.register(), await holdall.register(), await holdall.register()];
    await app.database.transact(async (tx) => {
      await tx.updateTable('account').set({ banned: 1 }).where('id', '=', bob.id).execute();
      await tx.updateTable('account').set({ deleting_at: 1 }).where('id', '=', eve.id).execute();
    });
    await tell([ann.id, bob.id, ann.id, eve.id, 999_999_999], fetched('a'));
    await tell([], fetched('b'));
    const rows = await app.database.db
      .selectFrom('notification')
      .select('account_id')
      .where('account_id', 'in', [ann.id, bob.id, eve.id])
      .execute();
    assert.deepEqual(rows, [{ account_id: ann.id }]);
  });

  test('does not exist if its cause is rolled back', async () => {
    const person = await holdall.register();
    const failing = app.database.transact(async (tx) => {
      await app.notifications.notify(tx, [person.id], fetched('a'));
      throw new Error('the cause fails');
    });
    await assert.rejects(failing, /the cause fails/);
    assert.equal((await listNotifications(person)).total, 0);
  });

  test('is written at the end of its transaction, with others in the order of the accounts', async () => {
    const people = [await holdall.register(), await holdall.register(), await holdall.register()];
    const [first = 0, second = 0, third = 0] = people.map(({ id }) => id).toSorted((a, b) => a - b);
    const rowsOf = (db: Db) =>
      db
        .selectFrom('notification')
        .select(['account_id as id', 'data'])
        .where('account_id', 'in', [first, second, third])
        .orderBy('notification.id')
        .execute();
    await app.database.transact(async (tx) => {
      await app.notifications.notify(tx, [third], fetched('a'));
      await app.notifications.notify(tx, [second, first], fetched('b'));
      await app.notifications.notify(tx, [first], exampleOf('SECURITY'));
      assert.deepEqual(await rowsOf(tx), []);
    });
    assert.deepEqual(
      (await rowsOf(app.database.db)).map(({ id, data }) => [id, JSON.parse(data)]),
      [
        [first, fetched('b').data],
        [first, EXAMPLES.SECURITY],
        [second, fetched('b').data],
        [third, fetched('a').data],
      ],
    );
  });

  test('does not keep the mails of its recipients waiting while its cause works', async () => {
    const person = await holdall.register();
    await verifyEmail(holdall, person);
    const [told, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const long = app.database.transact(async (tx) => {
      await app.notifications.notify(tx, [person.id], exampleOf('DRIVE_FULL'));
      told.resolve();
      await mayEnd.promise;
    });
    await told.promise;
    const other = tell([person.id], exampleOf('SECURITY'));
    // On SQLite transactions take turns.
    if (isPostgres) await other;
    mayEnd.resolve();
    await Promise.all([long, other]);
    assert.equal((await listNotifications(person)).total, 2);
  });

  test('has at most 4 KiB of one-line texts', async () => {
    const person = await holdall.register();
    const long = `${'\u{1f600}'.repeat(2_000)}\r\nBcc: x`;
    const senders = Array.from({ length: 5 }, () => long);
    const data = { ...EXAMPLES.LINK_FILES, title: `a\nb${long}`, driveName: long, senders };
    await tell([person.id], { kind: 'LINK_FILES', data });
    const [listed] = await dataOf(person, 'LINK_FILES');
    assert(Buffer.byteLength(JSON.stringify(listed)) <= 4_096);
    assert.match(listed?.title ?? '', /^a b.*\u2026$/u);
    assert.equal(listed?.senders.length, 5);
  });

  test('calls the hooks in its transaction, for those who are told in the app', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await bob.ask('PUT', SETTINGS, { body: { TRANSFER_FETCHED: { app: false, mail: true } } });
    await ann.ask('PUT', '/api/user/profile', { body: { preferredLanguage: 'de' } });
    const told: Told[] = [];
    app.notifications.onNotified(async (tx, some) => {
      await sql`select 1`.execute(tx);
      told.push(...some);
    });
    await tell([ann.id, bob.id], fetched('a'));
    const [item] = (await listNotifications(ann)).items;
    assert.deepEqual(told, [
      { notificationId: item?.id, accountId: ann.id, language: 'de', notification: fetched('a') },
    ]);
  });
});

describe('old notifications', () => {
  test('are deleted after 90 days', async () => {
    const person = await holdall.register();
    await tell([person.id], fetched('old'));
    clock.advance(89 * DAY);
    await person.logIn();
    await tell([person.id], fetched('new'));
    await app.notifications.deleteOld(new AbortController().signal);
    assert.equal((await dataOf(person, 'TRANSFER_FETCHED')).length, 2);
    clock.advance(2 * DAY);
    await app.notifications.deleteOld(new AbortController().signal);
    await person.logIn();
    assert.deepEqual(await dataOf(person, 'TRANSFER_FETCHED'), [fetched('new').data]);
  });

  test('are deleted with their account, like its settings and known logins', async () => {
    const person = await holdall.register();
    await tell([person.id], fetched('a'));
    await person.ask('PUT', SETTINGS, { body: { LINK_FILES: { app: true, mail: false } } });
    const body = { username: person.username };
    await (await holdall.admin()).ask('DELETE', `/api/admin/users/${person.id}`, { body });
    await app.cleanUp();
    for (const table of ['notification', 'notification_setting', 'known_login'] as const) {
      const rows = await app.database.db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', person.id)
        .execute();
      assert.deepEqual(rows, [], table);
    }
  });
});

describe('the personal stream', () => {
  const readers: EventReader[] = [];
  after(() => {
    for (const reader of readers) reader.close();
  });

  test('gets NOTIFICATION at every instance when something is told or read', async () => {
    const person = await holdall.register();
    const there = Object.assign(Object.create(person) as Person, { url: elsewhere.url });
    const reader = await EventReader.open(there);
    readers.push(reader);
    const countsOf = () => reader.messages.filter(({ event }) => event === 'NOTIFICATION').length;
    const before = countsOf();
    await tell([person.id], fetched('a'));
    await reader.notices(before + 1, 'NOTIFICATION');
    const message = reader.messages.findLast(({ event }) => event === 'NOTIFICATION');
    assert.deepEqual(Object.keys(message?.data ?? {}), ['eventType', 'createdAt']);
    const told = countsOf();
    await readAll(person);
    await reader.notices(told + 1, 'NOTIFICATION');
  });
});
