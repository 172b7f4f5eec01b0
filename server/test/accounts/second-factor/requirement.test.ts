// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../../support/app/admin.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { type LoginState, PASSWORD, type Person } from '../../support/app/person.ts';
import { beginLogin, logInWith, securityOf, setUpTotp, TOTP_PATH } from '../../support/app/second-factor.ts';

type State = LoginState & { readonly mustSetUpSecondFactor?: boolean };

const env = { HOLDALL_DEV_LOGIN: 'true', HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const strict = await startHoldall({ beside: holdall, env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' } });
const forAdmins = await startHoldall({
  beside: holdall,
  env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'admins' },
});
const { clock } = holdall;
const LIST = '/api/files/list?path=/';

const at = (url: string, person: Person) =>
  Object.assign(holdall.anonymous.with(person.login), { username: person.username, url });

describe('where a second factor is required', () => {
  test('an account without one can log in, and do nothing before it has one', async () => {
    const ann = at(strict.url, await holdall.register('ann'));
    const state = await ann.with(undefined).ask<State>('POST', '/api/auth/login', {
      body: { username: ann.username, password: PASSWORD },
    });
    assert.equal(state.mustSetUpSecondFactor, true);
    const waiting = ann.with(state);
    await waiting.refused(403, 1002, 'GET', LIST);
    await waiting.refused(403, 2403, 'GET', '/api/v2/tasks');
    await waiting.refused(403, 1002, 'POST', '/api/user/password', {
      body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` },
    });
    await waiting.refused(403, 1002, 'POST', '/api/user/app-passwords', {
      body: { name: 'x', scope: 'READ' },
    });
    await waiting.ask('GET', '/api/user/profile');
    const security = await securityOf(waiting);
    assert.deepEqual([security.secondFactorRequired, security.totp], [true, false]);
    const refreshed = await waiting
      .with(undefined)
      .ask<State>('POST', '/api/auth/refresh', { body: { refreshToken: state.refreshToken } });
    assert.equal(refreshed.mustSetUpSecondFactor, true);
    const set = ann.with(refreshed);
    const app = await setUpTotp(set, clock);
    await set.ask('GET', LIST);
    const after = (await logInWith(set, app.nextCode())).login as State;
    assert(!('mustSetUpSecondFactor' in after));
    await set.with(after).ask('DELETE', TOTP_PATH, { body: { password: PASSWORD } });
    await set.with(after).refused(403, 1002, 'GET', LIST);
  });

  test('the rejection says in a header what the client has to do', async () => {
    const ann = at(strict.url, await holdall.register('ann'));
    const headers = { authorization: `Bearer ${ann.token}` };
    const refused = await fetch(strict.url + LIST, { headers });
    assert.deepEqual([refused.status, refused.headers.get('x-service-required')], [403, 'second-factor']);
    const other = await fetch(`${strict.url}/api/user/profile`, { headers });
    assert.deepEqual([other.status, other.headers.get('x-service-required')], [200, null]);
  });

  test('app passwords do not work either until the account has one', async () => {
    const ann = await holdall.register('ann');
    const program = at(strict.url, ann);
    const { password } = await createAppPassword(ann);
    const there = asProgram(program, password);
    await there.refused(403, 1002, 'GET', LIST);
    assert.equal((await there.fetch('PROPFIND', '/dav/', { headers: { depth: '0' } })).status, 403);
    await setUpTotp(ann, clock);
    await there.ask('GET', LIST);
    assert.equal((await there.fetch('PROPFIND', '/dav/', { headers: { depth: '0' } })).status, 207);
  });

  test('a public call treats an account without one as anonymous', async () => {
    const ann = at(strict.url, await holdall.register('ann'));
    const files = [{ name: 'a.txt', size: 1, contentType: 'text/plain' }];
    await ann.refused(401, 1001, 'POST', '/api/transfer/sessions', { body: { mode: 'OFFLINE', files } });
  });

  test('a password set by an administrator must be changed first', async () => {
    const admin = await holdall.admin();
    const username = `made-${clock.now()}`;
    const body = {
      username,
      email: `${username}@example.org`,
      phoneNumber: `+${clock.now()}`,
      password: PASSWORD,
    };
    await admin.ask('POST', '/api/admin/users', { body });
    const made = at(strict.url, Object.assign(holdall.anonymous.with(undefined), { username }));
    await made.logIn();
    await made.refused(403, 1002, 'POST', TOTP_PATH);
    await made.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
    await made.refused(403, 1002, 'GET', LIST);
    await setUpTotp(made, clock);
    await made.ask('GET', LIST);
  });

  test('the rule “admins” requires one of moderators and admins, but not of users', async () => {
    const enter = async (role: string) => {
      const login = { username: `${role.toLowerCase()}-${clock.now()}`, role };
      const person = Object.assign(forAdmins.anonymous.with(undefined), { username: login.username });
      return person.enter('/api/auth/dev-login', login);
    };
    const user = await enter('USER');
    await user.ask('GET', LIST);
    assert(!('mustSetUpSecondFactor' in (user.login ?? {})));
    assert.equal((await securityOf(user)).secondFactorRequired, false);
    for (const role of ['MODERATOR', 'ADMIN']) {
      const person = await enter(role);
      await person.refused(403, 1002, 'GET', '/api/admin/users');
      await person.refused(403, 1002, 'GET', LIST);
      assert.equal((await securityOf(person)).secondFactorRequired, true);
      await setUpTotp(person, clock);
      await person.ask('GET', '/api/admin/users');
    }
  });
});

describe('an administrator', () => {
  test('sees who has an authenticator app; removing it is recorded in the audit log', async () => {
    const [admin, ann] = [await holdall.admin(), await holdall.register('ann')];
    const app = await setUpTotp(ann, clock);
    const shown = async () => {
      const page = await admin.ask<{ items: { totp: boolean }[] }>(
        'GET',
        `/api/admin/users?query=${ann.username}`,
      );
      return page.items[0]?.totp;
    };
    assert.equal(await shown(), true);
    const path = `/api/admin/users/${ann.id}/second-factors`;
    assert.equal(await admin.ask('DELETE', path), null);
    assert.equal(await shown(), false);
    await ann.ask('GET', LIST);
    assert.deepEqual([(await securityOf(ann)).totp, (await securityOf(ann)).recoveryCodesLeft], [false, 0]);
    await ann.with(undefined).logIn();
    const audits = async () =>
      (
        await admin.ask<{ items: { action: string; target: string; details: unknown }[] }>(
          'GET',
          '/api/admin/audits',
        )
      ).items.filter(({ target }) => target === ann.username);
    const actions = ['RESET_SECOND_FACTORS', 'SET_UP_TOTP'];
    assert.deepEqual(
      (await audits()).map(({ action }) => action),
      actions,
    );
    // There is nothing left to remove, so nothing is recorded.
    await admin.ask('DELETE', path);
    assert.equal((await audits()).length, actions.length);
    assert(!JSON.stringify(await audits()).includes(app.secret));
  });

  test('cannot reset their own factors, and a moderator cannot reset those of an admin', async () => {
    const admin = await holdall.admin();
    const mia = await holdall.register('mia');
    await asAdmin(admin).user(mia, 'role', { role: 'MODERATOR' });
    await mia.refused(403, 1002, 'DELETE', `/api/admin/users/${admin.id}/second-factors`);
    await admin.refused(400, 1003, 'DELETE', `/api/admin/users/${admin.id}/second-factors`);
    const ann = await holdall.register('ann');
    await setUpTotp(ann, clock);
    await mia.ask('DELETE', `/api/admin/users/${ann.id}/second-factors`);
    await mia.refused(404, 1003, 'DELETE', '/api/admin/users/999999999/second-factors');
  });

  test('invalidates the ticket of an unfinished login', async () => {
    const [admin, ann] = [await holdall.admin(), await holdall.register('ann')];
    const app = await setUpTotp(ann, clock);
    const ticket = await beginLogin(ann);
    await admin.ask('DELETE', `/api/admin/users/${ann.id}/second-factors`);
    for (const code of [app.nextCode(), app.recoveryCodes[0] ?? '']) {
      const body = { ticket, code };
      await ann.with(undefined).refused(401, 1001, 'POST', '/api/auth/second-factor', { body });
    }
  });
});
