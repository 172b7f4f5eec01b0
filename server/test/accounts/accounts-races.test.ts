// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { STORE_ID_KEY } from '../../src/blobs/object-key.ts';
import { ADMIN_PASSWORD, startHoldall } from '../support/app/holdall.ts';
import { type Answer, applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { makePng } from '../support/media/pictures.ts';

const newName = () => `racer-${randomBytes(6).toString('hex')}`;

describe('races of accounts', async () => {
  const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' };
  const holdall = await startHoldall({ env });
  const beside = await startHoldall({ beside: holdall, env });
  /** Sends the calls alternately to both instances. */
  const atBoth = <T>(count: number, call: (person: Person, index: number) => Promise<T>) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        call((index % 2 === 0 ? holdall : beside).anonymous, index),
      ),
    );
  const refresh = (person: Person, refreshToken: string | undefined) =>
    person.call<LoginState>('POST', '/api/auth/refresh', { body: { refreshToken } });

  test('of 50 registrations with one invite code, exactly one succeeds', async () => {
    const code = await holdall.inviteCode();
    const answers = await atBoth(50, (person) =>
      person.call('POST', '/api/auth/register', { body: applicationOf(newName(), code) }),
    );
    assert.deepEqual(countCodes(answers), { 0: 1, 1003: 49 });
    assert.notEqual(await holdall.inviteCode(), code);
  });

  test('of 20 registrations with one username, exactly one succeeds', async () => {
    const body = applicationOf(newName(), await holdall.inviteCode());
    const answers = await atBoth(20, (person) => person.call('POST', '/api/auth/register', { body }));
    assert.deepEqual(countCodes(answers), { 0: 1, 1003: 19 });
  });

  test('a registration that loses a race does not use up the invite code', async () => {
    const taken = await holdall.register();
    for (let round = 0; round < 5; round += 1) {
      const code = await holdall.inviteCode();
      const [bad, good] = await Promise.all([
        holdall.anonymous.call('POST', '/api/auth/register', { body: applicationOf(taken.username, code) }),
        beside.anonymous.call('POST', '/api/auth/register', { body: applicationOf(newName(), code) }),
      ]);
      assert.deepEqual([bad.status, good.status], [409, 200]);
    }
  });

  test('of 20 refreshes with one token, one succeeds, and only its tokens are valid', async () => {
    const ann = await holdall.register('ann');
    const answers = await atBoth(20, (person) => refresh(person, ann.login?.refreshToken));
    assert.deepEqual(countCodes(answers), { 0: 1, 1001: 19 });
    const winner = answers.find((answer) => answer.code === 0);
    await ann.with(winner?.data).ask('GET', '/api/user/profile');
    assert.equal((await refresh(beside.anonymous, winner?.data.refreshToken)).code, 0);
  });

  test('20 logins of one client type leave one session', async () => {
    const ann = await holdall.register('ann');
    const answers = await atBoth(20, (person) =>
      person.call<LoginState>('POST', '/api/auth/login', {
        body: { username: ann.username, password: PASSWORD },
      }),
    );
    assert.deepEqual(countCodes(answers), { 0: 20 });
    const profiles = await Promise.all(
      answers.map((answer) => ann.with(answer.data).call('GET', '/api/user/profile')),
    );
    assert.deepEqual(countCodes(profiles), { 0: 1, 1001: 19 });
  });

  test('of 10 password changes with one current password, one succeeds', async () => {
    const ann = await holdall.register('ann');
    const answers = await atBoth(10, (person, index) =>
      ann.with(ann.login).call<LoginState>('POST', new URL('/api/user/password', person.url).href, {
        body: { currentPassword: PASSWORD, newPassword: `the new password ${index}` },
      }),
    );
    assert.equal(countCodes(answers)[0], 1);
    const index = answers.findIndex((answer) => answer.code === 0);
    await ann.with(answers[index]?.data).ask('GET', '/api/user/profile');
    await ann.with(undefined).logIn(`the new password ${index}`);
  });

  test('of 10 first passwords at the same time, one is set', async () => {
    const xia = new Person(newName(), holdall.url);
    xia.login = await xia.ask<LoginState>('POST', '/api/auth/dev-login', {
      body: { username: xia.username },
    });
    const answers = await atBoth(10, (person, index) =>
      xia.with(xia.login).call('POST', new URL('/api/user/password', person.url).href, {
        body: { newPassword: `chosen at last ${index}` },
      }),
    );
    assert.equal(countCodes(answers)[0], 1);
    await xia.with(undefined).logIn(`chosen at last ${answers.findIndex(({ code }) => code === 0)}`);
  });

  test('a login with the old password does not survive a simultaneous password change', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ann = await holdall.register('ann');
      const logins = atBoth(6, (person, index) =>
        person.call<LoginState>('POST', '/api/auth/login', {
          body: { username: ann.username, password: PASSWORD },
          headers: { 'x-service-client': index % 2 === 0 ? 'mobile' : 'desktop' },
        }),
      );
      const change = ann.call<LoginState>('POST', '/api/user/password', {
        body: { currentPassword: PASSWORD, newPassword: 'the new password' },
      });
      const answers = await logins;
      const changed = await change;
      // The change fails if a login has already ended its session.
      if (changed.code !== 0) continue;
      for (const answer of answers.filter(({ code }) => code === 0)) {
        const later = ann.with(answer.data);
        assert.equal((await later.call('GET', '/api/user/profile')).status, 401);
        assert.equal((await refresh(later, answer.data.refreshToken)).status, 401);
      }
      await ann.with(changed.data).ask('GET', '/api/user/profile');
    }
  });

  test('of two users who request the same e-mail address and phone number, one gets them', async () => {
    const people = await Promise.all([holdall.register('ann')]);
    for (let count = 0; count < 4; count += 1) people.push(await holdall.register('bob'));
    const body = { email: `${newName()}@example.org`, phoneNumber: String(Date.now()) };
    const answers = await Promise.all(
      people.map((person) => person.call('PUT', '/api/user/profile', { body })),
    );
    assert.deepEqual(countCodes(answers), { 0: 1, 1003: 4 });
  });

  test('20 dev-logins of a new user create one account', async () => {
    const username = newName();
    const answers = await atBoth(20, (person) =>
      person.call<LoginState>('POST', '/api/auth/dev-login', { body: { username } }),
    );
    assert.deepEqual(countCodes(answers), { 0: 20 });
    assert.equal(new Set(answers.map((answer) => answer.data.user.id)).size, 1);
  });

  test('of 10 completions of one picture, one succeeds; of 10 pictures, one is kept', async () => {
    const ann = await holdall.register('ann');
    const upload = async () => {
      const form = new FormData();
      form.set('file', new Blob([makePng()], { type: 'image/png' }), 'me.png');
      return ann.ask<{ storageName: string }>('POST', '/api/user/avatar/upload', { body: form });
    };
    const complete = (body: unknown) => ann.call('POST', '/api/user/avatar/upload/complete', { body });
    const first = await upload();
    const same = await Promise.all(Array.from({ length: 10 }, () => complete(first)));
    assert.deepEqual(countCodes(same), { 0: 1, 1003: 9 });

    const uploads = await Promise.all(Array.from({ length: 10 }, upload));
    assert.deepEqual(countCodes(await Promise.all(uploads.map(complete))), { 0: 10 });
    const { db } = holdall.app.database;
    const blobs = await db
      .selectFrom('blob')
      .select('reference_count')
      .where('created_by', '=', ann.id)
      .execute();
    assert.equal(blobs.length, 11);
    assert.equal(
      blobs.reduce((sum, blob) => sum + blob.reference_count, 0),
      1,
    );
  });
});

// On SQLite the instances start one by one.
test(
  'if several instances start on an empty database, exactly one creates the admin',
  isPostgres ? {} : inFull,
  async () => {
    for (const env of [{ HOLDALL_ADMIN_PASSWORD: '' }, { HOLDALL_ADMIN_PASSWORD: ADMIN_PASSWORD }]) {
      const first = await startHoldall({ env });
      const { db } = first.app.database;
      assert(first.app.firstStart);
      const accounts = await db.selectFrom('account').select(['username', 'role']).execute();
      assert.deepEqual(accounts, [{ username: 'admin', role: 'ADMIN' }]);
      await first.app.database.transact(async (tx) => {
        for (const table of ['event', 'entry', 'drive', 'account'] as const)
          await tx.deleteFrom(table).execute();
        // Keeps the objects, and the marker that ties them to this database.
        await tx.deleteFrom('setting').where('name', '!=', `mark:${STORE_ID_KEY}`).execute();
      });
      const start = (index: number) =>
        startHoldall({ beside: first, env: { ...env, HOLDALL_ADMIN_USERNAME: `admin-${index}` } });
      // SQLite allows one instance only: several in one process would wait for each other's lock.
      const starts = isPostgres
        ? await Promise.all([0, 1, 2, 3].map(start))
        : [await start(0), await start(1), await start(2), await start(3)];
      const winners = starts.filter((start) => start.app.firstStart !== undefined);
      assert.equal(winners.length, 1);
      const firstStart = winners[0]?.app.firstStart;
      const password = firstStart?.generated?.password ?? ADMIN_PASSWORD;
      for (const { url } of starts) await new Person(firstStart?.adminUsername ?? '', url).logIn(password);
      assert.equal((await db.selectFrom('account').select('id').execute()).length, 1);
    }
  },
);

function countCodes(answers: readonly Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
