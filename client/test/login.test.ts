// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { setUpTotp } from '../../server/test/support/app/second-factor.ts';
import {
  appPassword,
  ForbiddenError,
  Holdall,
  MemoryTokenStore,
  SecondFactorNeededError,
  UnauthenticatedError,
} from '../src/client.ts';
import { logInNewUser, recordingFetch } from './logged-in.ts';

const MINUTE_MS = 60_000;

const service = await startHoldall();

describe('a login', () => {
  test('is stored and used by all calls', async () => {
    const tokens = new MemoryTokenStore();
    const { holdall, username } = await logInNewUser(service, { tokens });
    assert.equal((await holdall.account.profile()).username, username);
    const later = new Holdall({ url: service.url, tokens: new MemoryTokenStore(await tokens.load()) });
    assert.equal(await later.auth.isLoggedIn(), true);
    assert.equal((await later.account.profile()).username, username);
  });

  test('keeps its device, so that a later login on the same device ends only this one', async () => {
    const tokens = new MemoryTokenStore();
    const { holdall, username } = await logInNewUser(service, { tokens });
    const device = (await tokens.load())?.device;
    await holdall.auth.logIn(username, PASSWORD);
    assert.equal((await tokens.load())?.device, device);
    const other = new Holdall({ url: service.url });
    await other.auth.logIn(username, PASSWORD);
    const devices = (await holdall.account.sessions()).map((session) => session.device);
    assert.equal(new Set(devices).size, devices.length);
    assert.ok(devices.includes(device ?? ''));
  });

  test('is renewed once for concurrent calls whose token has expired', async () => {
    const { fetch, requests } = recordingFetch();
    const { holdall, username } = await logInNewUser(service, { fetch });
    service.clock.advance(16 * MINUTE_MS);
    const profiles = await Promise.all(Array.from({ length: 20 }, () => holdall.account.profile()));
    assert.deepEqual(new Set(profiles.map((profile) => profile.username)), new Set([username]));
    assert.equal(requests.filter((request) => request === 'POST /api/auth/refresh').length, 1);
    assert.equal(requests.filter((request) => request === 'GET /api/user/profile').length, 40);
  });

  test('is renewed once before concurrent calls when its token is about to expire', async () => {
    const { fetch, requests } = recordingFetch();
    const { username } = await service.register();
    const tokens = new MemoryTokenStore();
    await new Holdall({ url: service.url, tokens }).auth.logIn(username, PASSWORD);
    const stored = await tokens.load();
    assert.ok(stored);
    await tokens.save({ ...stored, expiresAt: Date.now() + 1_000 });
    const holdall = new Holdall({ url: service.url, tokens, fetch });
    await Promise.all(Array.from({ length: 10 }, () => holdall.account.profile()));
    assert.deepEqual(requests[0], 'POST /api/auth/refresh');
    assert.equal(requests.length, 11);
    assert.notEqual((await tokens.load())?.refreshToken, stored.refreshToken);
  });

  test('is taken from the store if another program has renewed it there', async () => {
    const tokens = new MemoryTokenStore();
    const { holdall, username } = await logInNewUser(service, { tokens });
    const { fetch, requests } = recordingFetch();
    const other = new Holdall({ url: service.url, tokens, fetch });
    await other.account.profile();
    service.clock.advance(16 * MINUTE_MS);
    await holdall.account.profile();
    assert.equal((await other.account.profile()).username, username);
    assert.equal(requests.includes('POST /api/auth/refresh'), false);
  });

  test('is forgotten when the service rejects its renewal', async () => {
    const { holdall } = await logInNewUser(service);
    service.clock.advance(15 * 24 * 60 * MINUTE_MS);
    await assert.rejects(holdall.account.profile(), UnauthenticatedError);
    assert.equal(await holdall.auth.isLoggedIn(), false);
  });

  test('stops waiting for a renewal when its call is aborted', async () => {
    const { promise: never } = Promise.withResolvers<Response>();
    const stuck: typeof fetch = (url, request) =>
      String(url).endsWith('/refresh') ? never : fetch(url, request);
    const { holdall } = await logInNewUser(service, { fetch: stuck });
    service.clock.advance(16 * MINUTE_MS);
    const reason = new Error('no longer wanted');
    const controller = new AbortController();
    const call = holdall.account.profile({ signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await assert.rejects(call, reason);
  });

  test('with a second factor asks for a code', async () => {
    const person = await service.register();
    const app = await setUpTotp(person, service.clock);
    const holdall = new Holdall({ url: service.url });
    const refused = await holdall.auth.logIn(person.username, PASSWORD).catch((error: unknown) => error);
    assert.ok(refused instanceof SecondFactorNeededError);
    assert.notEqual(refused.ticket, '');
    await assert.rejects(holdall.auth.finishLogIn(refused.ticket, app.wrongCode()), UnauthenticatedError);
    const { user } = await holdall.auth.logIn(person.username, PASSWORD, {
      askForCode: () => app.nextCode(),
    });
    assert.equal(user.username, person.username);
  });

  test('ends with a logout, and its tokens are forgotten', async () => {
    const { holdall } = await logInNewUser(service);
    await holdall.auth.logOut();
    assert.equal(await holdall.auth.isLoggedIn(), false);
    await assert.rejects(holdall.account.profile(), UnauthenticatedError);
  });

  test('continues with a new password', async () => {
    const { holdall, username } = await logInNewUser(service);
    const newPassword = 'another horse, another battery';
    await holdall.auth.changePassword({ currentPassword: PASSWORD, newPassword });
    assert.equal((await holdall.account.profile()).username, username);
    await assert.rejects(
      new Holdall({ url: service.url }).auth.logIn(username, PASSWORD),
      UnauthenticatedError,
    );
  });

  test('can be replaced by an app password, which cannot change the account', async () => {
    const { holdall, username } = await logInNewUser(service);
    const { password } = await holdall.appPasswords.create({ name: 'script', scope: 'WRITE' });
    const script = new Holdall({ url: service.url, credentials: appPassword(password) });
    assert.equal((await script.account.profile()).username, username);
    await script.drive.makeDirectory('/from-a-script');
    await assert.rejects(script.account.change({ displayName: 'Eve' }), ForbiddenError);
  });
});
