// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '../../src/accounts/contract.ts';
import type { AdminUser, NewAdminUser } from '../../src/admin/users/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { refusedStream } from '../support/events/event-reader.ts';
import { listApiRoutes } from '../support/http/api-routes.ts';
import { sendExample } from '../support/http/example-request.ts';

const USERS = '/api/admin/users';
const NEW_PASSWORD = 'a password of my own';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const admin = await holdall.admin();
const view = asAdmin(admin);

let count = 0;
function newUser(more: object = {}) {
  count += 1;
  const { username, email, phoneNumber } = applicationOf(`${Date.now() % 1_000_000}-new-${count}`, '');
  return { username, email, phoneNumber, ...more };
}
const create = (body: object, person = admin) => person.ask<NewAdminUser>('POST', USERS, { body });
const logIn = (username: string, password: string) => new Person(username, holdall.url).logIn(password);

describe('an account that an administrator creates', () => {
  test('is a user like any other, with the given data and the default limits', async () => {
    const body = newUser({ password: PASSWORD });
    const { temporaryPassword, ...created } = await create(body);
    assert.equal(temporaryPassword, null);
    const [listed] = (await view.users({ query: body.username })).items;
    assert.deepEqual(created, listed satisfies AdminUser | undefined);
    const { username, email, phoneNumber, role, banned } = created;
    assert.deepEqual({ username, email, phoneNumber }, newUserOf(body));
    assert.deepEqual([role, banned, created.storageQuotaBytes], ['USER', false, 50 * 1024 ** 3]);
    const person = await logIn(body.username, PASSWORD);
    await change(person, PASSWORD);
    assert.deepEqual(await person.names(), ['Documents', 'Downloads', 'Pictures']);
  });

  test('gets a random password if none was given, which is shown once and never stored', async () => {
    const body = newUser();
    const answer = await admin.call<NewAdminUser>('POST', USERS, { body });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { temporaryPassword } = answer.data;
    assert.match(temporaryPassword ?? '', /^[\w-]{20}$/);
    assert.equal((await logIn(body.username, temporaryPassword ?? '')).login?.mustChangePassword, true);
    const { db } = holdall.app.database;
    const rows = [await db.selectFrom('account').selectAll().execute()];
    const audits = await db.selectFrom('audit').selectAll().execute();
    assert.ok(!JSON.stringify([rows, audits]).includes(temporaryPassword ?? ''));
  });

  test('can do nothing but read its profile and log out before the password is changed', async () => {
    const body = newUser({ password: PASSWORD });
    await create(body);
    const person = await logIn(body.username, PASSWORD);
    assert.equal(person.login?.mustChangePassword, true);
    const profile = await person.ask<User>('GET', '/api/user/profile');
    assert.equal(profile.mustChangePassword, true);
    const allowed = ['GET /api/user/profile', 'HEAD /api/user/profile', 'POST /api/user/password'];
    const refused = listApiRoutes(holdall.app.server).filter(
      ({ access, method, url }) =>
        access !== 'public' && ![...allowed, 'POST /api/auth/logout'].includes(`${method} ${url}`),
    );
    assert.ok(refused.length > 80);
    for (const route of refused) {
      const response = await sendExample(person, route);
      const text = await response.text();
      assert.equal(response.status, 403, `${route.method} ${route.url}`);
      if (route.method !== 'HEAD') assert.match(text, /Please change your password first/);
    }
    assert.deepEqual(await refusedStream(person), [403, 2403]);
    // Public routes treat them as anonymous, so that nothing is stored in their name.
    const transfer = { mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] };
    await person.refused(401, 1001, 'POST', '/api/transfer/sessions', { body: transfer });
    await person.ask('GET', '/api/v2/site/ping');
    await person.ask('POST', '/api/auth/logout');
    assert.equal((await logIn(body.username, PASSWORD)).login?.mustChangePassword, true);
  });

  test('can do everything once the password is changed', async () => {
    const body = newUser({ password: PASSWORD });
    await create(body);
    const person = await logIn(body.username, PASSWORD);
    const same = { currentPassword: PASSWORD, newPassword: PASSWORD };
    await person.refused(400, 1000, 'POST', '/api/user/password', { body: same });
    const wrong = { currentPassword: 'wrong, and long', newPassword: NEW_PASSWORD };
    await person.refused(400, 1003, 'POST', '/api/user/password', { body: wrong });
    await person.refused(403, 1002, 'GET', '/api/files/list');
    const state = await change(person, PASSWORD);
    assert.deepEqual([state.mustChangePassword, state.user.mustChangePassword], [false, false]);
    await person.mkdir('/mine');
    const next = await logIn(body.username, NEW_PASSWORD);
    assert.equal(next.login?.mustChangePassword, false);
    // Without that requirement, the new password may equal the old one.
    const again = { currentPassword: NEW_PASSWORD, newPassword: NEW_PASSWORD };
    await next.ask('POST', '/api/user/password', { body: again });
  });

  test('must still change the password if an administrator sets another one first', async () => {
    const body = newUser({ password: PASSWORD });
    const { id } = await create(body);
    await admin.ask('PUT', `${USERS}/${id}/password`, { body: { newPassword: `${PASSWORD} 2` } });
    const person = await logIn(body.username, `${PASSWORD} 2`);
    await person.refused(403, 1002, 'GET', '/api/files/list');
    await change(person, `${PASSWORD} 2`);
    await person.list();
  });

  test('is audited, without its password', async () => {
    const body = newUser({ password: PASSWORD });
    const { id } = await create(body);
    const [entry] = (await view.audits()).items;
    assert(entry);
    const { id: entryId, createdAt, ...rest } = entry;
    assert.deepEqual(rest, {
      ...{ actor: 'admin', actorId: admin.id, action: 'CREATE_USER', target: body.username },
      ...{ targetType: 'USER', targetId: String(id), summary: `Created ${body.username}.` },
      detailsJson: { role: 'USER' },
    });
  });
});

describe('the creation of an account is rejected', () => {
  test('if its data are invalid or belong to another account, and then leaves nothing behind', async () => {
    const ann = await holdall.register('ann');
    const taken = applicationOf(ann.username, '');
    const before = [(await view.users()).total, (await view.audits()).total];
    const faulty = [
      ...[undefined, {}, { username: undefined }, { email: undefined }, { phoneNumber: undefined }],
      ...[{ username: 'a b' }, { email: 'nobody' }, { phoneNumber: 'call me' }, { password: 'short' }],
      ...[{ password: 'password1' }, { password: 5 }, { password: '' }],
    ];
    for (const fault of faulty) {
      const body = fault === undefined ? undefined : fault && Object.keys(fault).length ? newUser(fault) : {};
      await admin.refused(400, 1000, 'POST', USERS, { body });
    }
    for (const { username, email, phoneNumber } of [taken]) {
      for (const fault of [{ username: username.toUpperCase() }, { email }, { phoneNumber }]) {
        await admin.refused(409, 1003, 'POST', USERS, { body: newUser(fault) });
      }
    }
    assert.deepEqual([(await view.users()).total, (await view.audits()).total], before);
  });

  test('for users, but allowed for moderators', async () => {
    const ann = await holdall.register('ann');
    await ann.refused(403, 1002, 'POST', USERS, { body: newUser() });
    await view.user(ann, 'role', { role: 'MODERATOR' });
    assert.equal((await create(newUser(), ann)).role, 'USER');
  });
});

test('of 10 simultaneous creations of one username, one succeeds', async () => {
  const { username } = newUser();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.call('POST', USERS, { body: newUser({ username }) })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
});

test('a user who registers does not have to change the password', async () => {
  const ann = await holdall.register('ann');
  assert.deepEqual([ann.login?.mustChangePassword, ann.login?.user.mustChangePassword], [false, false]);
});

async function change(person: Person, currentPassword: string): Promise<LoginState> {
  const body = { currentPassword, newPassword: NEW_PASSWORD };
  person.login = await person.ask<LoginState>('POST', '/api/user/password', { body });
  return person.login;
}

function newUserOf({ username, email, phoneNumber }: ReturnType<typeof newUser>) {
  return { username, email, phoneNumber };
}
