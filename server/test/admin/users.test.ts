// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, Person } from '../support/app/person.ts';

const holdall = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
const secondInstance = await startHoldall({ beside: holdall });
const admin = await holdall.admin();
const view = asAdmin(admin);

const NEW_PASSWORD = 'another horse, another staple';

async function registerModerator(name = 'mod'): Promise<Person> {
  const person = await holdall.register(name);
  await view.user(person, 'role', { role: 'MODERATOR' });
  return person;
}

/** Tries every action on the account, and expects each to be rejected with the status and code. */
async function expectAllRejected(
  actor: Person,
  target: { id: number },
  status: number,
  code: number,
): Promise<void> {
  const base = `/api/admin/users/${target.id}`;
  for (const [method, path, body] of [
    ['PATCH', 'role', { role: 'USER' }],
    ['PATCH', 'status', { banned: true }],
    ['PUT', 'password', { newPassword: NEW_PASSWORD }],
    ['POST', 'password/reset', undefined],
    ['PATCH', 'storage-quota', { storageQuotaBytes: 1 }],
    ['PATCH', 'max-upload-size', { maxUploadSizeBytes: 1 }],
    ['PATCH', 'max-entries', { maxEntries: 1 }],
  ] as const) {
    await actor.refused(status, code, method, `${base}/${path}`, { body });
  }
}

async function countAudits(): Promise<number> {
  return (await view.audits()).total;
}

describe('the list of users', () => {
  test('shows exactly the documented members of an account', async () => {
    const ann = await holdall.register('ann');
    await ann.upload('/file', 'four');
    const [user] = (await view.users({ query: ann.username })).items;
    assert.deepEqual(Object.keys(user ?? {}), [
      'id',
      'username',
      'displayName',
      'email',
      'phoneNumber',
      'role',
      'banned',
      'deleting',
      'storageUsedBytes',
      'storageQuotaBytes',
      'maxUploadSizeBytes',
      'maxEntries',
      'entryCount',
      'fileCount',
      'totp',
      'passkeys',
      'identities',
      'hasPassword',
      'createdAt',
      'lastActiveAt',
    ]);
    assert.deepEqual(
      [user?.id, user?.email, user?.role, user?.banned, user?.storageUsedBytes],
      [ann.id, `${ann.username}@example.org`, 'USER', false, 4],
    );
    // The file and the three directories of a new drive.
    assert.deepEqual([user?.entryCount, user?.fileCount, user?.maxEntries], [4, 1, 1_000_000]);
    const ago = holdall.clock.now() - Date.parse(user?.lastActiveAt ?? '');
    assert.ok(ago >= 0 && ago < 60_000, `active ${ago} ms ago`);
  });

  test('has no last activity for an account that was never used', async () => {
    const dora = await new Person('dora', holdall.url).enter('/api/auth/dev-login', { username: 'dora' });
    assert.equal((await view.users({ query: 'dora' })).items[0]?.lastActiveAt, null);
    await dora.list();
    assert.notEqual((await view.users({ query: 'dora' })).items[0]?.lastActiveAt, null);
  });

  test('matches a literal part of the username, e-mail address or phone number, ignoring case', async () => {
    const { username } = await holdall.register('Un_der.Score');
    const digits = applicationDigits(username);
    for (const query of [username.toUpperCase(), `${username.slice(3)}@EXAMPLE`, digits.slice(2)]) {
      const { items, total } = await view.users({ query });
      assert.deepEqual([items.map((user) => user.username), total], [[username], 1], query);
    }
    for (const query of ['un%der', 'u__der', '%', '_', '!', '\\', "' or 1=1"]) {
      const { items } = await view.users({ query });
      assert.ok(
        items.every((user) => `${user.username} ${user.email}`.toLowerCase().includes(query)),
        query,
      );
    }
    assert.equal((await view.users({ query: 'no such person' })).total, 0);
    assert.ok((await view.users({ query: '' })).total > 1);
    await admin.refused(400, 1000, 'GET', '/api/admin/users?query=%00');
    await admin.refused(400, 1000, 'GET', `/api/admin/users?query=${'x'.repeat(300)}`);
  });

  test('is filtered by role, with or without a text', async () => {
    const [helper, user] = [await holdall.register('helper'), await holdall.register('helped')];
    await view.user(helper, 'role', { role: 'MODERATOR' });
    const namesOf = async (query: object) => {
      const { items, total } = await view.users({ size: 1_000, ...query });
      assert.equal(items.length, total);
      return items.map(({ username }) => username);
    };
    const moderators = await namesOf({ role: 'MODERATOR' });
    assert.ok(moderators.includes(helper.username) && !moderators.includes(user.username));
    assert.ok((await namesOf({ role: 'ADMIN' })).includes(admin.username));
    assert.deepEqual(await namesOf({ role: 'MODERATOR', query: 'HELP' }), [helper.username]);
    assert.deepEqual(await namesOf({ role: 'USER', query: 'help' }), [user.username]);
    const { items, total } = await view.users({ role: 'USER', size: 1, page: 1 });
    assert.deepEqual([items.length, total], [1, (await namesOf({ role: 'USER' })).length]);
    await view.user(helper, 'role', { role: 'USER' });
    assert.deepEqual(await namesOf({ role: 'MODERATOR', query: 'help' }), []);
    for (const role of ['ROOT', 'admin', '']) {
      await admin.refused(400, 1000, 'GET', `/api/admin/users?role=${role}`);
    }
  });

  test('is paged and contains every account once, newest first', async () => {
    for (let count = 0; count < 3; count += 1) await holdall.register('walker');
    const all = (await view.users({ size: 1_000 })).items.map(({ id }) => id);
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    );
    const walked: number[] = [];
    for (let page = 0; walked.length < all.length; page += 1) {
      const { items, ...rest } = await view.users({ page, size: 2 });
      assert.deepEqual(rest, { total: all.length, page, size: 2 });
      walked.push(...items.map(({ id }) => id));
    }
    assert.deepEqual(walked, all);
    for (const query of ['size=0', 'page=-1', 'size=x']) {
      await admin.refused(400, 1000, 'GET', `/api/admin/users?${query}`);
    }
  });
});

describe('a role', () => {
  test('applies at once on every instance, also to tokens issued before', async () => {
    const ann = await holdall.register('ann');
    const annAtSecond = new Person(ann.username, secondInstance.url);
    annAtSecond.login = ann.login;
    await annAtSecond.refused(403, 1002, 'GET', '/api/admin/summary');
    assert.equal((await view.user(ann, 'role', { role: 'MODERATOR' })).role, 'MODERATOR');
    await annAtSecond.ask('GET', '/api/admin/summary');
    await view.user(ann, 'role', { role: 'USER' });
    await annAtSecond.refused(403, 1002, 'GET', '/api/admin/summary');
    await ann.refused(403, 1002, 'GET', '/api/admin/users');
  });

  test('that does not exist is rejected', async () => {
    const ann = await holdall.register('ann');
    for (const body of [{ role: 'ROOT' }, { role: 'admin' }, { role: 1 }, {}, undefined, []]) {
      await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${ann.id}/role`, { body });
    }
  });
});

describe('a moderator', () => {
  test('cannot change an administrator or promote anyone to one', async () => {
    const mod = await registerModerator();
    const before = await countAudits();
    await expectAllRejected(mod, admin, 403, 1002);
    const ann = await holdall.register('ann');
    await mod.refused(403, 1002, 'PATCH', `/api/admin/users/${ann.id}/role`, { body: { role: 'ADMIN' } });
    await mod.refused(403, 1002, 'PATCH', `/api/admin/users/${mod.id}/role`, { body: { role: 'ADMIN' } });
    assert.equal(await countAudits(), before);
    await admin.ask('GET', '/api/user/profile');
  });

  test('may otherwise change users and moderators in any way', async () => {
    const mod = await registerModerator();
    const other = await registerModerator();
    const byMod = asAdmin(mod);
    assert.equal((await byMod.user(other, 'storage-quota', { storageQuotaBytes: 9 })).storageQuotaBytes, 9);
    assert.equal(
      (await byMod.user(other, 'max-upload-size', { maxUploadSizeBytes: 8 })).maxUploadSizeBytes,
      8,
    );
    assert.equal((await byMod.user(other, 'role', { role: 'USER' })).role, 'USER');
    assert.equal((await byMod.user(other, 'role', { role: 'MODERATOR' })).role, 'MODERATOR');
    assert.equal((await byMod.user(other, 'status', { banned: true })).banned, true);
  });
});

describe('the last active administrator', () => {
  test('cannot be demoted or banned, not even by themselves', async () => {
    const second = await holdall.register('second');
    await view.user(second, 'role', { role: 'ADMIN' });
    await view.user(second, 'status', { banned: true });
    // The second administrator is banned, so the first is the last active one.
    const before = await countAudits();
    const base = `/api/admin/users/${admin.id}`;
    for (const role of ['USER', 'MODERATOR']) {
      await admin.refused(400, 1003, 'PATCH', `${base}/role`, { body: { role } });
    }
    await admin.refused(400, 1003, 'PATCH', `${base}/status`, { body: { banned: true } });
    assert.equal(await countAudits(), before);
    assert.equal((await view.user(admin, 'role', { role: 'ADMIN' })).role, 'ADMIN');
    // A banned administrator does not count and may be demoted.
    assert.equal((await view.user(second, 'role', { role: 'USER' })).role, 'USER');
  });

  test('is protected only while there is no other', async () => {
    const second = await holdall.register('second');
    await view.user(second, 'role', { role: 'ADMIN' });
    assert.equal((await asAdmin(second).user(second, 'role', { role: 'USER' })).role, 'USER');
  });
});

describe('a ban', () => {
  test('ends sessions of both types at once on every instance; lifting it allows a new login', async () => {
    const ann = await holdall.register('ann');
    const mobile = await new Person(ann.username, secondInstance.url).logIn(PASSWORD, 'mobile');
    assert.equal((await view.user(ann, 'status', { status: 'BANNED' })).banned, true);
    for (const person of [ann, mobile]) {
      await person.refused(401, 1001, 'GET', '/api/user/profile');
      await person.refused(403, 1002, 'POST', '/api/auth/refresh', {
        body: { refreshToken: person.login?.refreshToken },
      });
    }
    assert.equal((await view.user(ann, 'status', { status: 'ACTIVE' })).banned, false);
    await ann.refused(401, 1001, 'GET', '/api/user/profile');
    await mobile.refused(401, 1001, 'GET', '/api/user/profile');
    await (await ann.logIn()).ask('GET', '/api/user/profile');
  });

  test('that is lifted from an account that was not banned does not end its sessions', async () => {
    const ann = await holdall.register('ann');
    assert.equal((await view.user(ann, 'status', { banned: false })).banned, false);
    await ann.ask('GET', '/api/user/profile');
  });

  test('is rejected with an ambiguous body', async () => {
    const ann = await holdall.register('ann');
    for (const body of [{}, { banned: 'true' }, { status: 'GONE' }, { banned: true, status: 'ACTIVE' }]) {
      await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${ann.id}/status`, { body });
    }
    await view.user(ann, 'status', { banned: true, status: 'BANNED' });
  });
});

describe('a password', () => {
  const put = (person: Person, newPassword: unknown) =>
    admin.call('PUT', `/api/admin/users/${person.id}/password`, { body: { newPassword } });

  test('set by an administrator replaces the old one and ends every session', async () => {
    const ann = await holdall.register('ann');
    const mobile = await new Person(ann.username, holdall.url).logIn(PASSWORD, 'mobile');
    assert.equal((await put(ann, NEW_PASSWORD)).status, 200);
    for (const person of [ann, mobile]) {
      await person.refused(401, 1001, 'GET', '/api/user/profile');
      await person.refused(401, 1001, 'POST', '/api/auth/refresh', {
        body: { refreshToken: person.login?.refreshToken },
      });
    }
    await assert.rejects(new Person(ann.username, holdall.url).logIn(PASSWORD));
    await new Person(ann.username, holdall.url).logIn(NEW_PASSWORD);
  });

  test('must follow the rules, and a rejected one changes nothing', async () => {
    const ann = await holdall.register('ann');
    const before = await countAudits();
    for (const bad of ['short', 'password1', ann.username, 'x'.repeat(129), 5, null]) {
      const answer = await put(ann, bad);
      assert.deepEqual([answer.status, answer.code], [400, 1000], String(bad));
    }
    assert.equal(await countAudits(), before);
    await ann.ask('GET', '/api/user/profile');
  });

  test('that is reset is shown once, is valid for login, and is not stored in clear text', async () => {
    const ann = await holdall.register('ann');
    const reset = () =>
      admin.ask<{ temporaryPassword: string }>('POST', `/api/admin/users/${ann.id}/password/reset`);
    const { temporaryPassword: first } = await reset();
    const { temporaryPassword: second } = await reset();
    assert.notEqual(first, second);
    assert.match(second, /^[\w-]{20}$/);
    await ann.refused(401, 1001, 'GET', '/api/user/profile');
    await assert.rejects(new Person(ann.username, holdall.url).logIn(first));
    const back = await new Person(ann.username, holdall.url).logIn(second);
    await back.enter('/api/user/password', { currentPassword: second, newPassword: NEW_PASSWORD });
    const { rows } = await readEverything();
    assert.ok(!rows.includes(first) && !rows.includes(second));
  });

  async function readEverything() {
    const { db } = holdall.app.database;
    const tables = [
      await db.selectFrom('audit').selectAll().execute(),
      await db.selectFrom('setting').selectAll().execute(),
      await db.selectFrom('account').selectAll().execute(),
      await db.selectFrom('event').selectAll().execute(),
    ];
    return { rows: JSON.stringify(tables) };
  }
});

describe('limits', () => {
  test('apply to the next upload', async () => {
    const ann = await holdall.register('ann');
    await ann.upload('/kept', '0123456789');
    await view.user(ann, 'max-upload-size', { maxUploadSizeBytes: 4 });
    await ann.refused(413, 1003, 'POST', '/api/files/upload', { body: form('large', '12345') });
    await ann.upload('/small', '1234');
    assert.equal((await view.user(ann, 'storage-quota', { storageQuotaBytes: 12 })).storageUsedBytes, 14);
    await ann.refused(413, 1003, 'POST', '/api/files/upload', { body: form('more', '1') });
    await ann.upload('/nothing', '');
    const profile = await ann.ask<Record<string, unknown>>('GET', '/api/user/profile');
    assert.deepEqual([profile.storageQuotaBytes, profile.maxUploadSizeBytes], [12, 4]);
    assert.equal((await view.user(ann, 'max-entries', { maxEntries: 2 })).entryCount, 6);
    await ann.refused(413, 1003, 'POST', '/api/files/mkdir', { body: { path: '/one too many' } });
    // Removing and renaming still work.
    const [kept] = (await ann.list('/', { size: 1_000 })).items.filter((each) => each.filename === 'kept');
    await ann.recycle(kept ?? assert.fail());
    await ann.purge(kept ?? assert.fail());
    await ann.refused(413, 1003, 'POST', '/api/files/mkdir', { body: { path: '/one too many' } });
    const after = await ann.ask<Record<string, unknown>>('GET', '/api/user/profile');
    assert.deepEqual([after.maxEntries, after.entryCount], [2, 5]);
  });

  test('are integers above 0', async () => {
    const ann = await holdall.register('ann');
    for (const bytes of [0, -1, 1.5, '5', null, 2 ** 60, undefined]) {
      const quota = { body: { storageQuotaBytes: bytes } };
      await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${ann.id}/storage-quota`, quota);
      const upload = { body: { maxUploadSizeBytes: bytes } };
      await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${ann.id}/max-upload-size`, upload);
      const entries = { body: { maxEntries: bytes } };
      await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${ann.id}/max-entries`, entries);
    }
  });
});

test('an unknown account id is answered with 404, an invalid one with 400', async () => {
  await expectAllRejected(admin, { id: 999_999_999 }, 404, 1003);
  for (const id of ['0', '-1', 'x', '1.5', '1e3']) {
    await admin.refused(400, 1000, 'PATCH', `/api/admin/users/${id}/role`, { body: { role: 'USER' } });
  }
});

test('a request that was authorized just before its sender was demoted changes nothing', async () => {
  const mod = await registerModerator();
  const ann = await holdall.register('ann');
  const { accounts, database } = holdall.app;
  await view.user(mod, 'role', { role: 'USER' });
  await assert.rejects(
    database.transact((tx) => accounts.administration.setBanned(tx, mod.id, ann.id, true)),
    { kind: 'forbidden' },
  );
});

function applicationDigits(username: string): string {
  return Array.from(username, (letter) => letter.charCodeAt(0))
    .join('')
    .slice(-18);
}

function form(name: string, content: string): FormData {
  const data = new FormData();
  data.set('file', new Blob([content]), name);
  return data;
}
