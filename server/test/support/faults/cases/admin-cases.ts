import assert from 'node:assert/strict';
import type { AdminInvite } from '../../../../src/admin/invites/contract.ts';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import type { Instance } from '../../../../src/instance/contract.ts';
import { asAdmin } from '../../app/admin.ts';
import { type Listing, Person } from '../../app/person.ts';
import { securityOf } from '../../app/second-factor.ts';
import type { NeedsByName } from '../example-case.ts';
import type { Fixture } from '../fixture.ts';
import { authenticator } from '../fixtures/accounts.ts';
import { defaultPolicy, listPolicies, policy, policyNamed } from '../fixtures/policies.ts';

/** A GIF of one pixel whose bytes are all ASCII, because the files of examples are texts. */
const GIF_TEXT = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';

/** The operations of administrators. */
export const ADMIN_NEEDS: NeedsByName = {
  'PATCH /api/admin/settings/registration/invite-code': {
    check: async ({ scene, name }) => assert.equal(await scene.holdall.inviteCode(), name),
  },
  'POST /api/admin/settings/instance/logo': {
    request: async () => ({ form: { file: GIF_TEXT } }),
    check: async ({ scene }) => {
      const { logoUrl } = await scene.holdall.anonymous.ask<Instance>('GET', '/api/v2/site/instance');
      assert.notEqual(logoUrl, null);
    },
  },
  'POST /api/admin/users': {
    check: ({ scene, name }) => new Person(name, scene.holdall.url).logIn(EXAMPLE.password),
  },
  'POST /api/admin/invites': {
    check: async (fixture) => assert.equal((await listInvites(fixture))[0]?.note, 'for the team'),
  },
  'DELETE /api/admin/invites/{id}': {
    check: async (fixture) => {
      const invites = await listInvites(fixture);
      assert.ok(invites.every(({ note }) => note !== fixture.name));
    },
  },
  'DELETE /api/admin/users/{userId}': {
    // The deletion completes in the background.
    check: async ({ scene, owner }) => {
      const { items } = await asAdmin(scene.admin).users({ query: owner.username });
      assert.ok(items.every((user) => user.id !== owner.id || user.deleting));
    },
  },
  'DELETE /api/admin/users/{userId}/second-factors': {
    before: authenticator,
    check: async ({ owner }) => assert.equal((await securityOf(owner)).totp, false),
  },
  'DELETE /api/admin/users/{userId}/identities/{identityId}': {
    check: async ({ owner }) => assert.deepEqual((await securityOf(owner)).identities, []),
  },
  'POST /api/admin/storage-policies': {
    request: async (fixture) => ({ body: await policyNamed(fixture, fixture.name) }),
    check: async (fixture) => {
      assert.ok((await listPolicies(fixture)).some(({ name }) => name === fixture.name));
    },
  },
  'PUT /api/admin/storage-policies/{policyId}': {
    request: async (fixture) => ({ body: { ...(await fixture.once(policy)), name: fixture.name } }),
  },
  'POST /api/admin/storage-policies/migrations': {
    before: endMigrations,
    request: async (fixture) => {
      const [source, target] = [await fixture.once(defaultPolicy), await fixture.once(policy)];
      return { body: { sourcePolicyId: source.id, targetPolicyId: target.id } };
    },
  },
};

/** Cancels queued migrations, because an object can be in only one migration. */
async function endMigrations({ scene: { admin } }: Fixture): Promise<void> {
  const { items } = await asAdmin(admin).tasks({ type: 'STORAGE_POLICY_MIGRATION', status: 'QUEUED' });
  for (const { id } of items) await admin.ask('DELETE', `/api/v2/tasks/${id}`);
}

async function listInvites({ scene: { admin } }: Fixture): Promise<readonly AdminInvite[]> {
  return (await admin.ask<Listing<AdminInvite>>('GET', '/api/admin/invites?size=1000')).items;
}
