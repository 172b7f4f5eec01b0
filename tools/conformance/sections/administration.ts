import assert from 'node:assert/strict';
import type { AdminFile, AdminShare } from '../../../server/src/admin/files/contract.ts';
import type { AdminAudit } from '../../../server/src/admin/overview/contract.ts';
import type { AdminUser } from '../../../server/src/admin/users/contract.ts';
import type { ShareSummary } from '../../../server/src/shares/contract.ts';
import type { TaskRecord } from '../../../server/src/tasks/contract.ts';
import { type Listing, PASSWORD, type Person } from '../../../server/test/support/app/person.ts';
import { queueTask, waitForStatus } from '../../../server/test/support/tasks/tasks.ts';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';

const ADMIN = '/api/admin';

export const administration: Section = {
  title: 'Administration',
  checks: {
    'the summary counts hours and seven days': async ({ admin }) => {
      const summary = await (await admin()).ask<{
        requestTimeline: readonly { hour: number }[];
        dailyActiveUsers: readonly { date: string; usernames: readonly string[] }[];
        totalUsers: number;
      }>('GET', `${ADMIN}/summary`);
      assert.deepEqual(
        summary.requestTimeline.map(({ hour }) => hour),
        summary.requestTimeline.map((_, index) => index),
      );
      const dates = summary.dailyActiveUsers.map(({ date }) => date);
      assert.deepEqual(dates, dates.toSorted());
      assert.equal(dates.length, 7);
      assert.ok(summary.totalUsers >= 1);
    },
    'settings and file system are shown without secrets': async ({ admin }) => {
      for (const page of ['settings', 'filesystem']) {
        const text = JSON.stringify(await (await admin()).ask('GET', `${ADMIN}/${page}`));
        assert.doesNotMatch(text, /secretAccessKey|jwtSecret|"password"/i);
      }
    },
    'the invite code is changed and rotated': async (scene) => {
      const admin = await scene.admin();
      const code = `conformance-${Date.now()}`;
      const path = `${ADMIN}/settings/registration/invite-code`;
      await admin.ask('PATCH', path, { body: { inviteCode: code } });
      assert.equal(await scene.inviteCode(), code);
      const rotated = await admin.ask<{ inviteCode: string }>('POST', `${path}/rotate`);
      assert.notEqual(rotated.inviteCode, code);
      assert.equal(await scene.inviteCode(), rotated.inviteCode);
    },
    'a ban ends the sessions and refuses logins until it is lifted': async ({
      admin,
      newcomer,
      anonymous,
    }) => {
      const person = await newcomer();
      await change(await admin(), person, 'status', { banned: true });
      await refuse('unauthenticated', person, 'GET', '/api/user/profile');
      const options = { body: { username: person.username, password: PASSWORD } };
      await refuse('forbidden', anonymous, 'POST', '/api/auth/login', options);
      await change(await admin(), person, 'status', { banned: false });
      await person.with(undefined).logIn();
    },
    'a role grants and takes the admin area': async ({ admin, newcomer }) => {
      const person = await newcomer();
      await change(await admin(), person, 'role', { role: 'MODERATOR' });
      await person.ask('GET', `${ADMIN}/summary`);
      await change(await admin(), person, 'role', { role: 'USER' });
      await refuse('forbidden', person, 'GET', `${ADMIN}/summary`);
      const options = { body: { role: 'EMPEROR' } };
      await refuse('invalid', await admin(), 'PATCH', `${ADMIN}/users/${person.id}/role`, options);
    },
    'a moderator cannot make or change an admin': async (scene) => {
      const admin = await scene.admin();
      const moderator = await scene.newcomer();
      await change(admin, moderator, 'role', { role: 'MODERATOR' });
      const person = await scene.newcomer();
      const role = { body: { role: 'ADMIN' } };
      await refuse('forbidden', moderator, 'PATCH', `${ADMIN}/users/${person.id}/role`, role);
      const ban = { body: { banned: true } };
      await refuse('forbidden', moderator, 'PATCH', `${ADMIN}/users/${admin.id}/status`, ban);
    },
    'a password that an admin sets or resets ends the sessions': async ({ admin, newcomer }) => {
      const person = await newcomer();
      const url = `${ADMIN}/users/${person.id}/password`;
      await refuse('invalid', await admin(), 'PUT', url, { body: { newPassword: 'short' } });
      await (await admin()).ask('PUT', url, { body: { newPassword: 'given by the admin' } });
      await refuse('unauthenticated', person, 'GET', '/api/user/profile');
      const again = await person.with(undefined).logIn('given by the admin');
      const { temporaryPassword } = await (await admin()).ask<{ temporaryPassword: string }>(
        'POST',
        `${url}/reset`,
      );
      await refuse('unauthenticated', again, 'GET', '/api/user/profile');
      await person.with(undefined).logIn(temporaryPassword);
    },
    'users are found by a part of their name': async ({ admin, newcomer }) => {
      const person = await newcomer();
      const users = await list<AdminUser>(await admin(), 'users', { query: person.username.toUpperCase() });
      assert.deepEqual(
        users.map(({ id }) => id),
        [person.id],
      );
    },
    'files of everybody are listed and moved to the bin': async (scene) => {
      const admin = await scene.admin();
      const person = await scene.newcomer();
      const file = await person.upload('/found.txt', 'a');
      const files = await list<AdminFile>(admin, 'files', { ownerQuery: person.username, query: 'found' });
      assert.deepEqual(
        files.map(({ id, ownerUsername }) => [id, ownerUsername]),
        [[file.id, person.username]],
      );
      await admin.ask('DELETE', `${ADMIN}/files/${file.id}`);
      assert.equal((await person.bin()).total, 1);
    },
    'stored objects are listed with their references': async ({ admin, newcomer }) => {
      const person = await newcomer();
      const file = await person.upload('/a.txt', `content of ${person.username}`);
      await person.mkdir('/copies');
      await person.copy(file, '/copies');
      const [blob] = await list<{
        referenceCount: number;
        linkedStoredFileCount: number;
        blobMissing: boolean;
      }>(await admin(), 'file-blobs', { userQuery: person.username, entityType: 'FILE' });
      assert.ok(blob !== undefined);
      assert.equal(blob.referenceCount, blob.linkedStoredFileCount);
      assert.equal(blob.blobMissing, false);
    },
    'shares of everybody are listed and deleted at once': async (scene) => {
      const admin = await scene.admin();
      const person = await scene.newcomer();
      const file = await person.upload('/shared.txt', 'a');
      const body = { fileId: file.id, password: 'secret word' };
      const share = await person.ask<ShareSummary>('POST', '/api/v2/shares', { body });
      const query = { userQuery: person.username, passwordProtected: true, expired: false };
      const shares = await list<AdminShare>(admin, 'shares', query);
      assert.deepEqual(
        shares.map(({ id }) => id),
        [share.id],
      );
      await admin.ask('DELETE', `${ADMIN}/shares/${share.id}`);
      await refuse('not-found', scene.anonymous, 'GET', `/api/v2/shares/${share.token}`);
    },
    'tasks of everybody are listed': async (scene) => {
      const admin = await scene.admin();
      const person = await scene.newcomer();
      const task = await queueTask(person, await person.upload('/a.txt', 'a'));
      await waitForStatus(person, task, 'COMPLETED');
      const query = { userQuery: person.username, type: 'ARCHIVE', status: 'COMPLETED', leaseState: 'NONE' };
      assert.deepEqual(
        (await list<TaskRecord>(admin, 'tasks', query)).map(({ id }) => id),
        [task.id],
      );
      const one = await admin.ask<{ ownerUsername: string }>('GET', `${ADMIN}/tasks/${task.id}`);
      assert.equal(one.ownerUsername, person.username);
      await refuse('invalid', admin, 'GET', `${ADMIN}/tasks?status=BUSY`);
    },
    'an action is audited, a refused one is not': async ({ admin, newcomer }) => {
      const person = await newcomer();
      const url = `${ADMIN}/users/${person.id}/storage-quota`;
      await refuse('invalid', await admin(), 'PATCH', url, { body: { storageQuotaBytes: 0 } });
      await change(await admin(), person, 'storage-quota', { storageQuotaBytes: 1_000 });
      const query = { targetType: 'USER', targetId: String(person.id), actionType: 'UPDATE_USER_QUOTA' };
      const audits = await list<AdminAudit>(await admin(), 'audits', query);
      assert.deepEqual(
        audits.map(({ actor }) => actor),
        [(await admin()).login?.user.username],
      );
    },
  },
};

interface Policy {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly defaultPolicy: boolean;
  readonly capabilities: { readonly multipartUpload: boolean };
}

const POLICIES = `${ADMIN}/storage-policies`;

export const storagePolicies: Section = {
  title: 'Storage policies',
  checks: {
    'one policy is the default, and none shows credentials': async ({ admin }) => {
      const policies = await (await admin()).ask<readonly Policy[]>('GET', POLICIES);
      assert.equal(policies.filter(({ defaultPolicy }) => defaultPolicy).length, 1);
      assert.doesNotMatch(JSON.stringify(policies), /accessKey|secret/i);
    },
    'a policy on the local disk has no multipart uploads, the default one of a store has': async ({
      admin,
    }) => {
      const { type, capabilities } = await findDefault(await admin());
      assert.equal(capabilities.multipartUpload, type !== 'LOCAL');
    },
    'the default policy cannot be disabled': async ({ admin }) => {
      const { id } = await findDefault(await admin());
      await refuse('rejected', await admin(), 'PATCH', `${POLICIES}/${id}/status`, {
        body: { enabled: false },
      });
    },
    'a policy is made, changed, disabled, and a migration to it is then refused': async ({ admin }) => {
      const person = await admin();
      const standard = await findDefault(person);
      const policy = await createPolicy(person, standard);
      const name = `${policy.name} changed`;
      const changed = await person.ask<Policy>('PUT', `${POLICIES}/${policy.id}`, {
        body: { ...bodyOf(policy), name },
      });
      assert.equal(changed.name, name);
      await person.ask('PATCH', `${POLICIES}/${policy.id}/status`, { body: { enabled: false } });
      for (const targetPolicyId of [policy.id, standard.id]) {
        const body = { sourcePolicyId: standard.id, targetPolicyId };
        await refuse('rejected', person, 'POST', `${POLICIES}/migrations`, { body });
      }
    },
    'a migration is a task': async ({ admin }) => {
      const person = await admin();
      const standard = await findDefault(person);
      const source = await createPolicy(person, standard);
      const body = { sourcePolicyId: source.id, targetPolicyId: standard.id };
      const task = await person.ask<TaskRecord>('POST', `${POLICIES}/migrations`, { body });
      assert.equal(task.type, 'STORAGE_POLICY_MIGRATION');
      await waitForStatus(person, task, 'COMPLETED');
    },
  },
};

async function findDefault(admin: Person): Promise<Policy> {
  const policies = await admin.ask<readonly Policy[]>('GET', POLICIES);
  const found = policies.find(({ defaultPolicy }) => defaultPolicy);
  assert.ok(found !== undefined);
  return found;
}

/** Creates an empty policy like another one, with a unique name and prefix. */
function createPolicy(admin: Person, like: Policy): Promise<Policy> {
  const name = `conformance ${Date.now()}`;
  const body = { ...bodyOf(like), name, prefix: `conformance-${Date.now()}/`, enabled: true };
  return admin.ask('POST', POLICIES, { body });
}

/** The body of the request that creates such a policy. */
function bodyOf(policy: Policy): object {
  const { id, defaultPolicy, createdAt, updatedAt, ...body } = policy as Policy & Record<string, unknown>;
  return body;
}

function change(admin: Person, { id }: Person, what: string, body: object): Promise<AdminUser> {
  return admin.ask('PATCH', `${ADMIN}/users/${id}/${what}`, { body });
}

async function list<T>(
  admin: Person,
  what: string,
  query: Readonly<Record<string, string | boolean>>,
): Promise<readonly T[]> {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
  return (await admin.ask<Listing<T>>('GET', `${ADMIN}/${what}?${parameters}`)).items;
}
