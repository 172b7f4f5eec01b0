// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { ListedFolderLink } from '../../src/folder-links/contract.ts';
import type { Credentials } from '../../src/http/caller.ts';
import type { OwnTransferRecord } from '../../src/transfer/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import {
  APP_PASSWORDS,
  asProgram,
  createAppPassword,
  listAppPasswords,
} from '../support/app/app-passwords.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type Listing, PASSWORD, type Person } from '../support/app/person.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { EventReader, refusedStream } from '../support/events/event-reader.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let statements: string[] = [];
const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env, onQuery: ({ sql }) => void statements.push(sql) });
const beside = await startHoldall({ beside: holdall, env });
const { clock } = holdall;
const { db } = holdall.app.database;

const inAMinute = () => new Date(clock.now() + MINUTE).toISOString();

describe('an app password', () => {
  test('is shown once, and stored as a SHA-256 hash', onSqlite, async () => {
    const ann = await holdall.register('ann');
    const made = await createAppPassword(ann, { name: ' rclone ', scope: 'READ', expiresAt: inAMinute() });
    const { password, ...record } = made;
    assert.match(password, /^hda_[0-9A-Za-z]{32}$/);
    assert.deepEqual(Object.keys(record).sort(), [
      ...['createdAt', 'expiresAt', 'id', 'lastUsedAt', 'name', 'scope'],
    ]);
    assert.deepEqual([record.name, record.scope, record.lastUsedAt], ['rclone', 'READ', null]);
    assert.deepEqual(await listAppPasswords(ann), [record]);
    const rows = await db.selectFrom('app_password').selectAll().where('id', '=', made.id).execute();
    assert.equal(rows[0]?.password_hash, createHash('sha256').update(password).digest('hex'));
    assert(!JSON.stringify(rows).includes(password));
  });

  test('lists newest first, and only those of the caller', onSqlite, async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const ids = [(await createAppPassword(ann)).id, (await createAppPassword(ann)).id];
    await createAppPassword(bob);
    assert.deepEqual(
      (await listAppPasswords(ann)).map(({ id }) => id),
      ids.reverse(),
    );
    await bob.refused(404, 1003, 'DELETE', `${APP_PASSWORDS}/${ids[0]}`);
  });

  test('cannot be created with an invalid name, scope or expiry', async () => {
    const ann = await holdall.register('ann');
    const good = { name: 'x', scope: 'READ' };
    for (const bad of [
      ...[{ name: '' }, { name: '  ' }, { name: 'x'.repeat(65) }, { name: 'a\nb' }, { name: null }],
      ...[{ scope: 'ADMIN' }, { scope: 'read' }, { scope: undefined }],
      ...[{ expiresAt: 'soon' }, { expiresAt: new Date(clock.now()).toISOString() }, { expiresAt: 5 }],
    ]) {
      await ann.refused(400, 1000, 'POST', APP_PASSWORDS, { body: { ...good, ...bad } });
    }
    assert.deepEqual(await listAppPasswords(ann), []);
    await ann.ask('POST', APP_PASSWORDS, { body: { ...good, name: '😀'.repeat(64), expiresAt: null } });
  });

  test('is limited to 50 per account, even with simultaneous requests at two instances', async () => {
    const ann = await holdall.register('ann');
    const old = await createAppPassword(ann, { expiresAt: inAMinute() });
    clock.advance(2 * MINUTE);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        ann.call('POST', new URL(APP_PASSWORDS, index % 2 ? holdall.url : beside.url).href, {
          body: { name: `program ${index}`, scope: 'READ' },
        }),
      ),
    );
    assert.equal(answers.filter(({ code }) => code === 0).length, 50);
    const refused = answers.filter(({ code }) => code !== 0);
    assert.deepEqual(new Set(refused.map(({ status, code }) => `${status} ${code}`)), new Set(['400 1003']));
    const left = await listAppPasswords(ann);
    assert.equal(left.length, 50, 'an expired one does not count, and is gone');
    assert(!left.some(({ id }) => id === old.id));
    await ann.ask('DELETE', `${APP_PASSWORDS}/${left[0]?.id}`);
    await createAppPassword(ann);
  });
});

describe('a program with an app password', onSqlite, () => {
  test('uses the drive of its owner at every instance', async () => {
    const ann = await holdall.register('ann');
    const { password } = await createAppPassword(ann);
    const program = asProgram(ann, password);
    const file = await program.upload('/from a program.txt', 'hello');
    assert.equal((await ann.download(file)).toString(), 'hello');
    const other = asProgram(await ann.with(ann.login), password);
    assert.deepEqual(await other.ask('GET', new URL('/api/user/profile', beside.url).href), {
      ...(await ann.ask<object>('GET', '/api/user/profile')),
    });
    await holdall.anonymous.refused(401, 2401, 'GET', `/api/v2/files/events?access_token=${password}`);
  });

  test('can only read with scope READ', async () => {
    const ann = await holdall.register('ann');
    const file = await ann.upload('/a.txt', 'hello');
    const reader = asProgram(ann, (await createAppPassword(ann, { scope: 'READ' })).password);
    assert.equal((await reader.download(file)).toString(), 'hello');
    assert.equal((await reader.list('/')).items.at(-1)?.id, file.id);
    await reader.refused(403, 1002, 'DELETE', `/api/files/${file.id}`);
    await reader.refused(403, 1002, 'POST', '/api/files/mkdir', { body: { path: '/x' } });
    await reader.refused(403, 2403, 'POST', '/api/v2/shares', { body: { fileId: file.id } });
  });

  test('with scope READ sees no token of a link that takes uploads, and no pickup code', async () => {
    const ann = await holdall.register('ann');
    const { id } = await ann.mkdir('/shared');
    const tokens = new Map<string, string | null>();
    for (const mode of ['VIEW', 'UPLOAD', 'BOTH']) {
      const body = { directoryId: id, mode };
      const link = await ann.ask<{ token: string }>('POST', '/api/v2/folder-links', { body });
      tokens.set(mode, mode === 'VIEW' ? link.token : null);
    }
    const files = [{ name: 'a.txt', size: 1 }];
    await ann.ask('POST', '/api/transfer/sessions', { body: { mode: 'OFFLINE', files } });
    const seenBy = async (person: Person) => ({
      links: (await person.ask<Listing<ListedFolderLink>>('GET', '/api/v2/folder-links/mine')).items,
      transfers: await person.ask<OwnTransferRecord[]>('GET', '/api/transfer/sessions/offline/mine'),
    });
    const reader = asProgram(ann, (await createAppPassword(ann, { scope: 'READ' })).password);
    const read = await seenBy(reader);
    assert.deepEqual(new Map(read.links.map(({ mode, token }) => [mode, token])), tokens);
    assert.deepEqual(
      read.transfers.map(({ pickupCode }) => pickupCode),
      [null],
    );
    const writer = asProgram(ann, (await createAppPassword(ann, { scope: 'WRITE' })).password);
    const written = await seenBy(writer);
    assert.deepEqual(written, await seenBy(ann));
    assert.ok(written.links.every(({ token }) => typeof token === 'string'));
    assert.match(written.transfers[0]?.pickupCode ?? '', /^[0-9A-Z]{6}$/);
  });

  test('cannot reach administration, logins or app passwords, even if its owner may', async () => {
    const admin = await holdall.admin();
    const { id, password } = await createAppPassword(admin);
    const program = asProgram(admin, password);
    await program.refused(403, 1002, 'GET', '/api/admin/users');
    await program.refused(403, 1002, 'GET', APP_PASSWORDS);
    await program.refused(403, 1002, 'POST', APP_PASSWORDS, { body: { name: 'x', scope: 'READ' } });
    await program.refused(403, 1002, 'DELETE', `${APP_PASSWORDS}/${id}`);
    await program.refused(403, 1002, 'POST', '/api/auth/logout');
    await program.refused(403, 1002, 'PUT', '/api/user/profile', { body: { displayName: 'x' } });
    await admin.ask('DELETE', `${APP_PASSWORDS}/${id}`);
  });

  test('is rejected with a password that is wrong in any way', async () => {
    const ann = await holdall.register('ann');
    const { password } = await createAppPassword(ann);
    const other = password.at(-1) === 'a' ? 'b' : 'a';
    for (const wrong of [
      ...[password.slice(0, -1) + other, `${password}a`, password.slice(0, -1), password.slice(4)],
      ...[password.toLowerCase(), password.toUpperCase(), 'hda_', `HDA_${password.slice(4)}`, PASSWORD],
    ]) {
      await asProgram(ann, wrong).refused(401, 1001, 'GET', '/api/user/profile');
    }
  });

  test('may send the name of the account in any letter case, and no other name', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    const { password } = await createAppPassword(ann, { scope: 'READ' });
    const find = (username: string, secret = password) => {
      const credentials: Credentials = { kind: 'basic', username, password: secret };
      return holdall.app.accounts.findCaller(credentials, '198.51.100.1');
    };
    const caller = await find(ann.username.toUpperCase());
    assert.deepEqual([caller?.accountId, caller?.appPasswordScope], [ann.id, 'READ']);
    assert.equal(await find(bob.username), undefined);
    assert.equal(await find(''), undefined);
    assert.equal(await find(ann.username, PASSWORD), undefined, 'the password of the account');
    assert.equal(await find(ann.username, ann.token), undefined, 'an access token');
  });
});

describe('the last use', onSqlite, () => {
  test('is accurate to a minute, but not written for every request', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    const countWrites = async () => {
      statements = [];
      await program.ask('GET', '/api/user/profile');
      return statements.filter((sql) => /^update "app_password"/.test(sql)).length;
    };
    const lastUsed = async () => (await listAppPasswords(ann))[0]?.lastUsedAt;
    assert.deepEqual([await countWrites(), await countWrites()], [1, 0]);
    const first = await lastUsed();
    assert.ok(first);
    clock.advance(50 * SECOND);
    assert.deepEqual([await countWrites(), await lastUsed()], [0, first]);
    clock.advance(11 * SECOND);
    assert.equal(await countWrites(), 1);
    assert.ok(Date.parse((await lastUsed()) ?? '') >= Date.parse(first) + MINUTE);
  });

  test('costs one statement per request, like a login', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await program.ask('GET', '/api/v2/site/ping');
    const countOf = async (person: Person) => {
      statements = [];
      await person.ask('GET', '/api/v2/site/ping');
      return statements.filter((sql) => /"app_password"|"session"/.test(sql)).length;
    };
    assert.deepEqual([await countOf(program), await countOf(ann)], [1, 1]);
  });
});

describe('an app password ends immediately at every instance', onSqlite, () => {
  const isValidAt = async (url: string, program: Person) =>
    (await program.call('GET', new URL('/api/user/profile', url).href)).status;

  async function assertEnds(
    status: number,
    end: (ann: Person, id: number) => Promise<unknown>,
  ): Promise<Person> {
    const ann = await holdall.register('ann');
    const { id, password } = await createAppPassword(ann, { expiresAt: inAMinute() });
    const program = asProgram(ann, password);
    const stream = await EventReader.open(ann, { headers: { authorization: `Bearer ${password}` } });
    for (const { url } of [holdall, beside]) assert.equal(await isValidAt(url, program), 200);
    await end(ann, id);
    for (const { url } of [holdall, beside]) assert.equal(await isValidAt(url, program), status);
    await stream.ended();
    const code = 2_000 + status;
    const headers = { authorization: `Bearer ${password}` };
    assert.deepEqual(await refusedStream(ann, { headers }), [status, code]);
    return program;
  }

  test('when it is deleted', async () => {
    await assertEnds(401, (ann, id) => ann.ask('DELETE', `${APP_PASSWORDS}/${id}`));
  });

  test('when it expires', async () => {
    await assertEnds(401, async () => clock.advance(2 * MINUTE));
  });

  test('when an admin sets or resets the password', async () => {
    const admin = await holdall.admin();
    await assertEnds(401, (ann) =>
      admin.ask('PUT', `/api/admin/users/${ann.id}/password`, { body: { newPassword: 'set by the admin' } }),
    );
    await assertEnds(401, (ann) => admin.ask('POST', `/api/admin/users/${ann.id}/password/reset`));
  });

  test('when the operator resets the password', async () => {
    await assertEnds(401, async (ann) => {
      const end = await runCommand(environmentOf(holdall), ['admin', 'reset-password', ann.username]);
      assert.equal(end.code, 0, end.complained.join('\n'));
    });
  });

  test('while the account is banned: 403, and it is valid again after the ban', async () => {
    const admin = await holdall.admin();
    let id = 0;
    const program = await assertEnds(403, (ann) => {
      id = ann.id;
      return asAdmin(admin).user(ann, 'status', { banned: true });
    });
    await asAdmin(admin).user({ id }, 'status', { banned: false });
    for (const { url } of [holdall, beside]) assert.equal(await isValidAt(url, program), 200);
  });

  test('when its owner changes the password and chooses to revoke app passwords', async () => {
    const newPassword = 'another good password';
    const body = { currentPassword: PASSWORD, newPassword, endAppPasswords: true };
    await assertEnds(401, (ann) => ann.enter('/api/user/password', body));
  });

  test('but not when its owner only changes the password, logs out or logs in again', async () => {
    const ann = await holdall.register('ann');
    const program = asProgram(ann, (await createAppPassword(ann)).password);
    await ann.enter('/api/user/password', {
      currentPassword: PASSWORD,
      newPassword: 'another good password',
    });
    await ann.ask('POST', '/api/auth/logout');
    await ann.logIn('another good password');
    assert.equal(await isValidAt(holdall.url, program), 200);
  });
});

test('an app password that is created while an admin resets the password does not survive the reset', async () => {
  const admin = await holdall.admin();
  for (let round = 0; round < 5; round += 1) {
    const ann = await holdall.register('ann');
    const [created] = await Promise.all([
      ann.call('POST', new URL(APP_PASSWORDS, beside.url).href, { body: { name: 'x', scope: 'READ' } }),
      admin.ask('POST', `/api/admin/users/${ann.id}/password/reset`),
    ]);
    assert.ok([200, 401].includes(created.status));
    const left = await db.selectFrom('app_password').select('id').where('account_id', '=', ann.id).execute();
    assert.deepEqual(left, []);
  }
});

describe('wrong app passwords', onSqlite, async () => {
  const guarded = await startHoldall({ env: { HOLDALL_TRUST_PROXY: 'on' } });

  test('count for the address, so that logins are refused, but correct app passwords are not', async () => {
    const ann = await guarded.register('ann');
    const { password } = await createAppPassword(ann);
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const guess = (index: number) =>
      asProgram(ann, `hda_${String(index).padStart(32, '0')}`).call('GET', '/api/user/profile', { headers });
    for (let index = 0; index < 30; index += 1) assert.equal((await guess(index)).status, 401);
    assert.equal((await guess(30)).status, 429);
    const body = { username: ann.username, password: PASSWORD };
    await ann.refused(429, 1429, 'POST', '/api/auth/login', { body, headers });
    await asProgram(ann, password).ask('GET', '/api/user/profile', { headers });
    await asProgram(ann, 'hda_wrong').refused(401, 1001, 'GET', '/api/user/profile');
  });
});
