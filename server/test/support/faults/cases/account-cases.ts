import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LoginSessionRecord } from '../../../../src/accounts/sessions/contract.ts';
import { APP_PASSWORDS, createAppPassword, listAppPasswords } from '../../app/app-passwords.ts';
import { applicationOf, PASSWORD, type Person } from '../../app/person.ts';
import { makePng } from '../../media/pictures.ts';
import { type FaultCase, type Scene, sending } from '../fault-case.ts';

const NEW_PASSWORD = 'another correct horse battery';
const PICTURE = makePng();
const AVATAR = '/api/user/avatar/upload';

/** Accounts and their login sessions. */
export const ACCOUNT_CASES: readonly FaultCase[] = [
  {
    route: 'POST /api/auth/register',
    // The code admits one account.
    repeated: [400],
    prepare: async ({ holdall }, name) => {
      const body = applicationOf(name, await holdall.inviteCode());
      return {
        send: sending(holdall.anonymous, 'POST', '/api/auth/register', body),
        check: async () => void (await holdall.anonymous.ask('POST', '/api/auth/login', { body })),
      };
    },
  },
  {
    route: 'POST /api/auth/login',
    prepare: async ({ holdall }, name) => {
      const { username } = await holdall.register(name);
      return sending(holdall.anonymous, 'POST', '/api/auth/login', { username, password: PASSWORD });
    },
  },
  {
    route: 'POST /api/auth/refresh',
    // The token was spent, although its answer did not arrive. The user logs in again.
    repeated: [401],
    prepare: async ({ holdall }, name) => {
      const { login } = await holdall.register(name);
      const body = { refreshToken: login?.refreshToken };
      return sending(holdall.anonymous, 'POST', '/api/auth/refresh', body);
    },
  },
  {
    route: 'POST /api/auth/dev-login',
    prepare: async ({ holdall }, name) =>
      sending(holdall.anonymous, 'POST', '/api/auth/dev-login', { username: name }),
  },
  {
    route: 'POST /api/auth/logout',
    repeated: [401],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      return { send: sending(person, 'POST', '/api/auth/logout'), check: () => assertEnded(person) };
    },
  },
  {
    route: 'DELETE /api/user/sessions/:id',
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const other = await person.with(undefined).logInAt(randomUUID());
      const sessions = await person.ask<LoginSessionRecord[]>('GET', '/api/user/sessions');
      const id = sessions.find(({ current }) => !current)?.id;
      return {
        send: sending(person, 'DELETE', `/api/user/sessions/${id}`),
        check: () => assertEnded(other),
      };
    },
  },
  {
    route: 'POST /api/user/app-passwords',
    // Each request creates one.
    repeated: [200],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      return {
        send: sending(person, 'POST', APP_PASSWORDS, { name, scope: 'READ' }),
        check: async () => assert.equal((await listAppPasswords(person))[0]?.name, name),
      };
    },
  },
  {
    route: 'DELETE /api/user/app-passwords/:id',
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const { id } = await createAppPassword(person);
      return {
        send: sending(person, 'DELETE', `${APP_PASSWORDS}/${id}`),
        check: async () => assert.deepEqual(await listAppPasswords(person), []),
      };
    },
  },
  {
    route: 'PUT /api/user/profile',
    prepare: async ({ alice }, name) => ({
      send: sending(alice, 'PUT', '/api/user/profile', { bio: name }),
      check: async () => {
        const { bio } = await alice.ask<{ bio: string }>('GET', '/api/user/profile');
        assert.equal(bio, name);
      },
    }),
  },
  {
    route: 'POST /api/user/password',
    // The old password and the old session no longer count.
    repeated: [400, 401],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      return {
        send: sending(person, 'POST', '/api/user/password', body),
        check: async () => void (await person.with(undefined).logIn(NEW_PASSWORD)),
      };
    },
  },
  {
    route: `POST ${AVATAR}/initiate`,
    prepare:
      async ({ alice }) =>
      () =>
        alice.call('POST', `${AVATAR}/initiate`, { body: ANNOUNCED }),
  },
  {
    route: `POST ${AVATAR}`,
    prepare: async (scene) => sendingPicture(scene, await announce(scene)),
  },
  {
    route: `POST ${AVATAR}/complete`,
    // The name of the bytes can be used once.
    repeated: [400],
    prepare: async (scene) => {
      const storageName = await announce(scene);
      await sendingPicture(scene, storageName)();
      return {
        send: sending(scene.alice, 'POST', `${AVATAR}/complete`, { storageName }),
        check: async () => {
          const response = await scene.alice.fetch('GET', '/api/user/avatar/content');
          assert.ok(Buffer.from(await response.arrayBuffer()).equals(PICTURE));
        },
      };
    },
  },
];

const ANNOUNCED = { filename: 'me', contentType: 'image/png', size: PICTURE.length };

async function announce({ alice }: Scene): Promise<string> {
  const target = await alice.ask<{ storageName: string }>('POST', `${AVATAR}/initiate`, { body: ANNOUNCED });
  return target.storageName;
}

function sendingPicture({ alice }: Scene, storageName: string) {
  return () => {
    const form = new FormData();
    form.set('file', new Blob([PICTURE]), 'me');
    form.set('storageName', storageName);
    return alice.call('POST', AVATAR, { body: form });
  };
}

async function assertEnded(person: Person): Promise<void> {
  assert.equal((await person.call('GET', '/api/user/profile')).status, 401);
}
