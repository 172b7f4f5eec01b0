import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { AdminInvite } from '../../../../src/admin/invites/contract.ts';
import type { AdminPolicy } from '../../../../src/admin/storage/contract.ts';
import { asAdmin } from '../../app/admin.ts';
import { applicationOf, type Listing, Person } from '../../app/person.ts';
import { securityOf, setUpTotp } from '../../app/second-factor.ts';
import { Browser } from '../../sign-on/browser.ts';
import { type FaultCase, type Scene, sending } from '../fault-case.ts';

const USERS = '/api/admin/users';
const INVITES = '/api/admin/invites';
const POLICIES = '/api/admin/storage-policies';
const SETTINGS = '/api/admin/settings';
const INVITE_CODE = `${SETTINGS}/registration/invite-code`;
const ACCOUNT_DEFAULTS = `${SETTINGS}/registration/account-defaults`;
const OFFLINE_LIMIT = `${SETTINGS}/offline-transfer-storage-limit`;

/** What administrators change. */
export const ADMIN_CASES: readonly FaultCase[] = [
  {
    route: `PATCH ${INVITE_CODE}`,
    prepare: async ({ admin, holdall }, name) => ({
      send: sending(admin, 'PATCH', INVITE_CODE, { inviteCode: name }),
      check: async () => assert.equal(await holdall.inviteCode(), name),
    }),
  },
  {
    route: `POST ${INVITE_CODE}/rotate`,
    prepare: async ({ admin }) => sending(admin, 'POST', `${INVITE_CODE}/rotate`),
  },
  {
    route: `PATCH ${ACCOUNT_DEFAULTS}`,
    prepare: async ({ admin }) => sending(admin, 'PATCH', ACCOUNT_DEFAULTS, { defaultMaxEntries: 900_000 }),
  },
  {
    route: `PATCH ${OFFLINE_LIMIT}`,
    prepare: async ({ admin }) =>
      sending(admin, 'PATCH', OFFLINE_LIMIT, { offlineTransferStorageLimitBytes: 10 ** 9 }),
  },
  {
    route: `POST ${USERS}`,
    prepare: async ({ admin, holdall }, name) => {
      const { password, ...body } = applicationOf(name, '');
      return {
        send: sending(admin, 'POST', USERS, { ...body, password }),
        check: async () => void (await new Person(name, holdall.url).logIn(password)),
      };
    },
  },
  {
    route: `POST ${INVITES}`,
    // Each request creates one.
    repeated: [200],
    prepare: async ({ admin }, name) => ({
      send: sending(admin, 'POST', INVITES, { note: name, uses: 2 }),
      check: async () => assert.equal((await listInvites(admin))[0]?.note, name),
    }),
  },
  {
    route: `DELETE ${INVITES}/:id`,
    prepare: async ({ admin }, name) => {
      const { id } = await admin.ask<AdminInvite>('POST', INVITES, { body: { note: name, uses: 1 } });
      return {
        send: sending(admin, 'DELETE', `${INVITES}/${id}`),
        check: async () => assert.ok((await listInvites(admin)).every((invite) => invite.id !== id)),
      };
    },
  },
  {
    route: `DELETE ${USERS}/:userId`,
    // The deletion has begun, and ends in the background.
    repeated: [200],
    prepare: async ({ admin, holdall }, name) => {
      const { id, username } = await holdall.register(name);
      const isDeleted = async () => {
        const { items } = await asAdmin(admin).users({ query: username });
        return items.every((user) => user.id !== id || user.deleting);
      };
      return {
        send: sending(admin, 'DELETE', `${USERS}/${id}`, { username }),
        check: async () => assert.ok(await isDeleted()),
      };
    },
  },
  userCase('PATCH', 'role', { role: 'MODERATOR' }),
  userCase('PATCH', 'status', { banned: true }),
  userCase('PUT', 'password', { newPassword: 'chosen by the admin' }),
  userCase('POST', 'password/reset'),
  {
    route: `DELETE ${USERS}/:userId/second-factors`,
    // Nothing is left, which is no error.
    repeated: [200],
    prepare: async ({ admin, holdall }, name) => {
      const person = await holdall.register(name);
      await setUpTotp(person, holdall.clock);
      return {
        send: sending(admin, 'DELETE', `${USERS}/${person.id}/second-factors`),
        check: async () => assert.equal((await securityOf(person)).totp, false),
      };
    },
  },
  {
    route: `DELETE ${USERS}/:userId/identities/:identityId`,
    prepare: async ({ admin, holdall }, name) => {
      const person = await holdall.register(name);
      await new Browser(holdall.url).link(person, name);
      const [identity] = (await securityOf(person)).identities;
      return {
        send: sending(admin, 'DELETE', `${USERS}/${person.id}/identities/${identity?.id}`),
        check: async () => assert.deepEqual((await securityOf(person)).identities, []),
      };
    },
  },
  userCase('PATCH', 'storage-quota', { storageQuotaBytes: 10 ** 9 }),
  userCase('PATCH', 'max-upload-size', { maxUploadSizeBytes: 10 ** 9 }),
  userCase('PATCH', 'max-entries', { maxEntries: 1_000 }),
  {
    route: 'DELETE /api/admin/files/:fileId',
    prepare: async ({ admin, alice }, name) => {
      const { id } = await alice.upload(`/${name}`, name);
      return sending(admin, 'DELETE', `/api/admin/files/${id}`);
    },
  },
  {
    route: 'DELETE /api/admin/shares/:shareId',
    prepare: async ({ admin, alice }, name) => {
      const { id: fileId } = await alice.upload(`/${name}`, name);
      await alice.ask('POST', '/api/v2/shares', { body: { fileId } });
      const [shared] = (await asAdmin(admin).shares({ fileName: name })).items;
      return sending(admin, 'DELETE', `/api/admin/shares/${shared?.id}`);
    },
  },
  {
    route: `POST ${POLICIES}`,
    prepare: async (scene, name) => ({
      send: sending(scene.admin, 'POST', POLICIES, await policyNamed(scene, name)),
      check: async () => {
        const policies = await scene.admin.ask<AdminPolicy[]>('GET', POLICIES);
        assert.ok(policies.some((policy) => policy.name === name));
      },
    }),
  },
  {
    route: `PUT ${POLICIES}/:policyId`,
    prepare: async (scene, name) => {
      const { id, ...policy } = await addPolicy(scene);
      return sending(scene.admin, 'PUT', `${POLICIES}/${id}`, { ...policy, name });
    },
  },
  {
    route: `PATCH ${POLICIES}/:policyId/status`,
    prepare: async (scene) => {
      const { id } = await addPolicy(scene);
      return sending(scene.admin, 'PATCH', `${POLICIES}/${id}/status`, { enabled: false });
    },
  },
  {
    route: `POST ${POLICIES}/migrations`,
    prepare: async (scene) => {
      await endMigrations(scene);
      const [source, target] = [await defaultPolicy(scene), await addPolicy(scene)];
      const body = { sourcePolicyId: source.id, targetPolicyId: target.id };
      return sending(scene.admin, 'POST', `${POLICIES}/migrations`, body);
    },
  },
];

function userCase(method: string, what: string, body?: object): FaultCase {
  return {
    route: `${method} ${USERS}/:userId/${what}`,
    prepare: async ({ admin, holdall }, name) => {
      const { id } = await holdall.register(name);
      return sending(admin, method, `${USERS}/${id}/${what}`, body);
    },
  };
}

/** A place in the store of the default policy. */
async function policyNamed(scene: Scene, name: string): Promise<object> {
  const standard = await defaultPolicy(scene);
  return { ...standard, name, prefix: [standard.prefix, name].filter(Boolean).join('/'), enabled: true };
}

async function addPolicy(scene: Scene): Promise<AdminPolicy> {
  const name = `policy-${randomBytes(4).toString('hex')}`;
  return scene.admin.ask('POST', POLICIES, { body: await policyNamed(scene, name) });
}

async function defaultPolicy({ admin }: Scene): Promise<AdminPolicy> {
  const policy = (await admin.ask<AdminPolicy[]>('GET', POLICIES)).find((one) => one.defaultPolicy);
  assert.ok(policy);
  return policy;
}

/** One object can be in one migration only. */
async function endMigrations({ admin }: Scene): Promise<void> {
  const { items } = await asAdmin(admin).tasks({ type: 'STORAGE_POLICY_MIGRATION', status: 'QUEUED' });
  for (const { id } of items) await admin.ask('DELETE', `/api/v2/tasks/${id}`);
}

async function listInvites(admin: Person): Promise<readonly AdminInvite[]> {
  return (await admin.ask<Listing<AdminInvite>>('GET', `${INVITES}?size=1000`)).items;
}
