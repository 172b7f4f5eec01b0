import assert from 'node:assert/strict';
import {
  applicationOf,
  type LoginState,
  PASSWORD,
  type Person,
} from '../../../server/test/support/app/person.ts';
import { refuse } from '../refusals.ts';
import type { Scene } from '../scene.ts';
import type { Section } from '../suite.ts';

const PROFILE = '/api/user/profile';

export const accounts: Section = {
  title: 'Accounts and sessions',
  checks: {
    'a registration gives a login state and the default directories': async ({ newcomer }) => {
      const person = await newcomer();
      const login = person.login;
      assert(login);
      assert.equal(login.token, login.accessToken);
      assert.deepEqual([login.user.username, login.user.role], [person.username, 'USER']);
      assert.ok((await person.list()).items.every(({ directory }) => directory));
    },
    'a registration uses up the invite code': async (scene) => {
      const before = await scene.inviteCode();
      await scene.newcomer();
      assert.notEqual(await scene.inviteCode(), before);
      await refuseRegistration('rejected', scene, applicationOf(scene.stranger().username, before));
    },
    'a refused registration leaves the invite code': async (scene) => {
      const code = await scene.inviteCode();
      const body = { ...applicationOf(scene.stranger().username, code), confirmPassword: 'something else' };
      await refuseRegistration('invalid', scene, body);
      await refuseRegistration('rejected', scene, applicationOf(scene.stranger().username, 'wrong code'));
      assert.equal(await scene.inviteCode(), code);
    },
    'username, e-mail and phone number are unique': async (scene) => {
      const { username } = await scene.person();
      const taken = applicationOf(username, await scene.inviteCode());
      const free = applicationOf(scene.stranger().username, taken.inviteCode);
      await refuseRegistration('conflict', scene, { ...free, username: username.toUpperCase() });
      await refuseRegistration('conflict', scene, { ...free, email: taken.email.toUpperCase() });
      await refuseRegistration('conflict', scene, {
        ...free,
        phoneNumber: taken.phoneNumber.replace(/(...)/, '$1 '),
      });
    },
    'weak passwords and malformed data are refused': async (scene) => {
      const free = applicationOf(scene.stranger().username, await scene.inviteCode());
      for (const fault of [
        { password: 'short', confirmPassword: 'short' },
        { password: 'password', confirmPassword: 'password' },
        { password: free.username, confirmPassword: free.username },
        { username: 'a b' },
        { email: 'nowhere' },
        { phoneNumber: '12' },
      ]) {
        await refuseRegistration('invalid', scene, { ...free, ...fault });
      }
    },
    'a login takes the username in any case': async ({ newcomer }) => {
      const person = await newcomer();
      const body = { username: person.username.toUpperCase(), password: PASSWORD };
      assert.ok((await person.ask<LoginState>('POST', '/api/auth/login', { body })).accessToken);
    },
    'a wrong password and an unknown username are refused alike': async ({ person, anonymous, stranger }) => {
      const { username } = await person();
      const wrong = { username, password: 'not the password' };
      const unknown = { username: stranger().username, password: PASSWORD };
      const answers = [];
      for (const body of [wrong, unknown]) {
        answers.push(await anonymous.refused(401, 1001, 'POST', '/api/auth/login', { body }));
      }
      assert.equal(answers[0]?.msg, answers[1]?.msg);
    },
    'a forged, damaged or unsigned token is refused': async ({ person }) => {
      const alice = await person();
      const [header = '', claims = '', signature = ''] = alice.token.split('.');
      const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      const damaged = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
      for (const token of ['nonsense', `${header}.${claims}.${damaged}`, `${unsigned}.${claims}.`]) {
        const headers = { authorization: `Bearer ${token}` };
        await refuse('unauthenticated', alice, 'GET', PROFILE, { headers });
      }
    },
    'the two client types have sessions of their own': async ({ newcomer }) => {
      const desktop = await newcomer();
      const mobile = await desktop.with(undefined).logIn(PASSWORD, 'mobile');
      await desktop.ask('GET', PROFILE);
      const next = await desktop.with(undefined).logIn(PASSWORD, 'desktop');
      await refuse('unauthenticated', desktop, 'GET', PROFILE);
      await mobile.ask('GET', PROFILE);
      await next.ask('GET', PROFILE);
    },
    'a refresh gives new tokens, and the old refresh token is dead': async ({ newcomer }) => {
      const person = await newcomer();
      const login = await refresh(person);
      assert.notEqual(login.refreshToken, person.login?.refreshToken);
      await refuse('unauthenticated', person.with(undefined), 'POST', '/api/auth/refresh', {
        body: { refreshToken: person.login?.refreshToken },
      });
      await person.with(login).ask('GET', PROFILE);
    },
    'of two refreshes with one token only one succeeds': async ({ newcomer }) => {
      const person = await newcomer();
      const options = { body: { refreshToken: person.login?.refreshToken } };
      const answers = await Promise.all(
        [1, 2].map(() => person.with(undefined).call('POST', '/api/auth/refresh', options)),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    },
    'a refresh keeps the client type': async ({ newcomer }) => {
      const desktop = await newcomer();
      const mobile = await desktop.with(undefined).logIn(PASSWORD, 'mobile');
      const login = await refresh(mobile);
      await desktop.ask('GET', PROFILE);
      assert.equal(clientOf(login), 'mobile');
    },
    'a new password ends all sessions and gives a new one': async ({ newcomer }) => {
      const desktop = await newcomer();
      const mobile = await desktop.with(undefined).logIn(PASSWORD, 'mobile');
      const newPassword = 'another long password';
      await refuse('rejected', desktop, 'POST', '/api/user/password', {
        body: { currentPassword: 'not the password', newPassword },
      });
      await desktop.ask('GET', PROFILE);
      const login = await desktop.ask<LoginState>('POST', '/api/user/password', {
        body: { currentPassword: PASSWORD, newPassword },
      });
      for (const ended of [desktop, mobile]) await refuse('unauthenticated', ended, 'GET', PROFILE);
      await desktop.with(login).ask('GET', PROFILE);
      await desktop.with(undefined).logIn(newPassword);
    },
    'the profile is changed, and its e-mail stays unique': async ({ newcomer, person }) => {
      const alice = await newcomer();
      const taken = (await person()).login?.user.email;
      await refuse('conflict', alice, 'PUT', PROFILE, { body: { email: taken } });
      await alice.ask('PUT', PROFILE, { body: { displayName: 'Alice', bio: 'Hello' } });
      const profile = await alice.ask<Record<string, unknown>>('GET', PROFILE);
      assert.deepEqual([profile.displayName, profile.bio], ['Alice', 'Hello']);
      assert.equal(profile.email, alice.login?.user.email);
    },
    'dev-login logs in where it is enabled, and is not found elsewhere': async ({ anonymous }) => {
      const { status } = await anonymous.call('POST', '/api/auth/dev-login');
      assert.ok([200, 404].includes(status), `dev-login answered ${status}`);
    },
  },
};

function refresh(person: Person): Promise<LoginState> {
  const body = { refreshToken: person.login?.refreshToken };
  return person.with(undefined).ask('POST', '/api/auth/refresh', { body });
}

function clientOf({ accessToken }: LoginState): unknown {
  const [, claims = ''] = accessToken.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).client;
}

async function refuseRegistration(
  kind: Parameters<typeof refuse>[0],
  { anonymous }: Scene,
  body: object,
): Promise<void> {
  await refuse(kind, anonymous, 'POST', '/api/auth/register', { body });
}
