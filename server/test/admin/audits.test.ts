// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminInvite } from '../../src/admin/invites/contract.ts';
import type { AdminAudit } from '../../src/admin/overview/contract.ts';
import { AUDIT_ACTIONS, OWNER_ACTIONS } from '../../src/audit/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { setUpTotp } from '../support/app/second-factor.ts';
import { linkFolder } from '../support/folder-links/folder-links.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();
const view = asAdmin(admin);
const mod = await holdall.register('Mod');
const ann = await holdall.register('ann');
await setUpTotp(ann, holdall.clock);
const file = await ann.upload('/Documents/file', 'four');
const shared = await ann.upload('/shared', 'x');
const link = await linkFolder(ann, null, { title: 'All' });
const share = await ann.ask<{ id: number; token: string }>('POST', '/api/v2/shares', {
  body: { fileId: shared.id, password: 'sesame, open' },
});

const leaver = await holdall.register('leaver');
await leaver.upload('/file', 'bytes');

/** An expected audit entry, without id, time and actor. */
type ExpectedEntry = Omit<AdminAudit, 'id' | 'createdAt' | 'actor' | 'actorId'>;

const user = { target: ann.username, targetType: 'USER', targetId: String(ann.id) } as const;
const setting = { targetType: 'SETTING', targetId: null } as const;
const users = `/api/admin/users/${ann.id}`;
const policies = '/api/admin/storage-policies';
const policy = {
  ...{
    name: 'Archive',
    type: 'S3_COMPATIBLE',
    bucketName: 'bucket',
    endpoint: null,
    region: null,
    prefix: 'p',
  },
  ...{ credentialMode: 'STATIC', maxSizeBytes: 5, enabled: true },
  capabilities: {
    ...{ directUpload: true, multipartUpload: true, signedDownloadUrl: true, serverProxyDownload: true },
    ...{ requiresCors: true, maxObjectSize: 10 },
  },
};
let policyId = 0;
let invite: AdminInvite | undefined;

/** Every action of an administrator, and the audit entry that it must leave. */
const ACTIONS: readonly (readonly [string, () => Promise<unknown>, () => ExpectedEntry])[] = [
  [
    'sets the invite code',
    () =>
      admin.ask('PATCH', '/api/admin/settings/registration/invite-code', {
        body: { inviteCode: 'OPEN-SESAME-1' },
      }),
    () => ({
      ...{ action: 'UPDATE_INVITE_CODE', ...setting, target: 'invite code' },
      ...{ summary: 'Set the invite code.', detailsJson: {} },
    }),
  ],
  [
    'rotates the invite code',
    () => admin.ask('POST', '/api/admin/settings/registration/invite-code/rotate'),
    () => ({
      ...{ action: 'ROTATE_INVITE_CODE', ...setting, target: 'invite code' },
      ...{ summary: 'Replaced the invite code by a random one.', detailsJson: {} },
    }),
  ],
  [
    'creates an invite',
    async () => {
      const body = { note: 'For the choir', uses: 3 };
      invite = await admin.ask<AdminInvite>('POST', '/api/admin/invites', { body });
    },
    () => ({
      ...{ action: 'CREATE_INVITE', targetType: 'INVITE', targetId: String(invite?.id) },
      ...{ target: 'For the choir', summary: 'Created an invite for 3 registrations.' },
      detailsJson: { uses: 3, expiresAt: null },
    }),
  ],
  [
    'deletes an invite',
    () => admin.ask('DELETE', `/api/admin/invites/${invite?.id}`),
    () => ({
      ...{ action: 'DELETE_INVITE', targetType: 'INVITE', targetId: String(invite?.id) },
      ...{ target: 'For the choir', summary: 'Deleted an invite that was used 0 of 3 times.' },
      detailsJson: { uses: 3, usedCount: 0 },
    }),
  ],
  [
    'sets the storage limit of OFFLINE transfers',
    () =>
      admin.ask('PATCH', '/api/admin/settings/offline-transfer-storage-limit', {
        body: { offlineTransferStorageLimitBytes: 77 },
      }),
    () => ({
      ...{ action: 'UPDATE_OFFLINE_LIMIT', ...setting, target: 'offline transfer storage limit' },
      summary: 'Set the storage limit of OFFLINE transfers to 77 bytes.',
      detailsJson: { before: 20 * 1024 ** 3, after: 77 },
    }),
  ],
  [
    'sets the defaults of new accounts',
    () =>
      admin.ask('PATCH', '/api/admin/settings/registration/account-defaults', {
        body: { defaultMaxEntries: 1_234 },
      }),
    () => {
      const others = {
        ...{ defaultStorageQuotaBytes: 50 * 1024 ** 3, defaultMaxUploadSizeBytes: 10 * 1024 ** 3 },
        defaultDirectories: ['Documents', 'Pictures', 'Downloads'],
      };
      return {
        ...{ action: 'UPDATE_ACCOUNT_DEFAULTS', ...setting, target: 'defaults of new accounts' },
        summary: 'Set the defaults of new accounts.',
        detailsJson: {
          before: { ...others, defaultMaxEntries: 1_000_000 },
          after: { ...others, defaultMaxEntries: 1_234 },
        },
      };
    },
  ],
  [
    'changes a role',
    () => admin.ask('PATCH', `${users}/role`, { body: { role: 'MODERATOR' } }),
    () => ({
      ...{
        action: 'UPDATE_USER_ROLE',
        ...user,
        summary: `Changed the role of ${ann.username} to MODERATOR.`,
      },
      detailsJson: { before: 'USER', after: 'MODERATOR' },
    }),
  ],
  [
    'bans a user',
    () => admin.ask('PATCH', `${users}/status`, { body: { banned: true } }),
    () => ({
      ...{ action: 'UPDATE_USER_STATUS', ...user, summary: `Banned ${ann.username}.` },
      detailsJson: { before: 'ACTIVE', after: 'BANNED' },
    }),
  ],
  [
    'sets a password',
    () => admin.ask('PUT', `${users}/password`, { body: { newPassword: 'a password of an admin' } }),
    () => ({
      ...{ action: 'UPDATE_USER_PASSWORD', ...user, detailsJson: {} },
      summary: `Set a password for ${ann.username}.`,
    }),
  ],
  [
    'resets a password',
    () => admin.ask('POST', `${users}/password/reset`),
    () => ({
      ...{ action: 'RESET_USER_PASSWORD', ...user, detailsJson: {} },
      summary: `Reset the password of ${ann.username}.`,
    }),
  ],
  [
    'resets second factors',
    () => admin.ask('DELETE', `${users}/second-factors`),
    () => ({
      ...{ action: 'RESET_SECOND_FACTORS', ...user, detailsJson: { totp: true, passkeys: 0 } },
      summary: `Reset the second factors of ${ann.username}.`,
    }),
  ],
  [
    'sets a quota',
    () => admin.ask('PATCH', `${users}/storage-quota`, { body: { storageQuotaBytes: 9 } }),
    () => ({
      ...{ action: 'UPDATE_USER_QUOTA', ...user },
      summary: `Set the storage quota of ${ann.username} to 9 bytes.`,
      detailsJson: { before: 50 * 1024 ** 3, after: 9 },
    }),
  ],
  [
    'sets a maximum upload size',
    () => admin.ask('PATCH', `${users}/max-upload-size`, { body: { maxUploadSizeBytes: 8 } }),
    () => ({
      ...{ action: 'UPDATE_USER_UPLOAD_LIMIT', ...user },
      summary: `Set the maximum upload size of ${ann.username} to 8 bytes.`,
      detailsJson: { before: 10 * 1024 ** 3, after: 8 },
    }),
  ],
  [
    'sets a maximum number of entries',
    () => admin.ask('PATCH', `${users}/max-entries`, { body: { maxEntries: 7 } }),
    () => ({
      ...{ action: 'UPDATE_USER_MAX_ENTRIES', ...user },
      summary: `Set the maximum number of entries of ${ann.username} to 7.`,
      detailsJson: { before: 1_000_000, after: 7 },
    }),
  ],
  [
    'deletes an account',
    () => admin.ask('DELETE', `/api/admin/users/${leaver.id}`, { body: { username: leaver.username } }),
    () => ({
      ...{ action: 'DELETE_USER', targetType: 'USER', targetId: String(leaver.id), target: leaver.username },
      summary: `Deleted the account ${leaver.username}.`,
      detailsJson: { role: 'USER', entryCount: 4, usedBytes: 5 },
    }),
  ],
  [
    'deletes a share',
    () => admin.ask('DELETE', `/api/admin/shares/${share.id}`),
    () => ({
      ...{ action: 'DELETE_SHARE', target: 'shared', targetType: 'SHARE', targetId: String(share.id) },
      summary: 'Deleted the share shared.',
      detailsJson: { kind: 'V2', ownerId: ann.id, driveId: ann.driveId, fileId: shared.id },
    }),
  ],
  [
    'deletes a folder link',
    () => admin.ask('DELETE', `/api/admin/folder-links/${link.id}`),
    () => ({
      ...{
        action: 'DELETE_FOLDER_LINK',
        target: 'All',
        targetType: 'FOLDER_LINK',
        targetId: String(link.id),
      },
      summary: 'Deleted the folder link All.',
      detailsJson: { ownerId: ann.id, driveId: ann.driveId, directoryId: link.directoryId },
    }),
  ],
  [
    'deletes a file',
    () => admin.ask('DELETE', `/api/admin/files/${file.id}`),
    () => ({
      ...{ action: 'DELETE_FILE', target: '/Documents/file', targetType: 'FILE', targetId: String(file.id) },
      summary: 'Moved /Documents/file to the recycle bin of its owner.',
      detailsJson: {
        ...{ ownerId: ann.id, driveId: ann.driveId, path: '/Documents/file' },
        ...{ directory: false, size: 4 },
      },
    }),
  ],
  [
    'creates a policy',
    async () => {
      policyId = (await admin.ask<{ id: number }>('POST', policies, { body: policy })).id;
    },
    () => ({
      ...{ action: 'CREATE_POLICY', ...policyTarget('Archive') },
      ...{ summary: 'Created the storage policy Archive.', detailsJson: { after: policy } },
    }),
  ],
  [
    'changes a policy',
    () => admin.ask('PUT', `${policies}/${policyId}`, { body: { ...policy, name: 'Cold', prefix: 'q' } }),
    () => ({
      ...{ action: 'UPDATE_POLICY', ...policyTarget('Cold'), summary: 'Changed the storage policy Cold.' },
      detailsJson: { before: policy, after: { ...policy, name: 'Cold', prefix: 'q' } },
    }),
  ],
  [
    'disables a policy',
    () => admin.ask('PATCH', `${policies}/${policyId}/status`, { body: { enabled: false } }),
    () => ({
      ...{ action: 'UPDATE_POLICY_STATUS', ...policyTarget('Cold') },
      ...{ summary: 'Disabled the storage policy Cold.', detailsJson: { before: true, after: false } },
    }),
  ],
];

function policyTarget(name: string) {
  return { target: name, targetType: 'STORAGE_POLICY', targetId: String(policyId) };
}

describe('an administrator who', () => {
  for (const [title, act, expected] of ACTIONS) {
    test(`${title} leaves one audit entry with the details`, async () => {
      const before = await view.audits();
      await act();
      const after = await view.audits();
      assert.equal(after.total, before.total + 1);
      const { id, createdAt, actor, actorId, ...rest } = after.items[0] ?? {};
      assert.ok((id ?? 0) > (before.items[0]?.id ?? 0));
      assert.ok(Math.abs(Date.parse(createdAt ?? '') - holdall.clock.now()) < 60_000);
      assert.deepEqual([actor, actorId], ['admin', admin.id]);
      assert.deepEqual(rest, expected());
    });
  }
});

test('no audit entry contains a password, a code or a token', async () => {
  const text = JSON.stringify(await holdall.app.database.db.selectFrom('audit').selectAll().execute());
  const codes = ['OPEN-SESAME-1', await holdall.inviteCode(), invite?.code ?? ''];
  for (const secret of [...codes, 'a password of an admin', share.token]) {
    assert.ok(secret.length > 0);
    assert.ok(!text.includes(secret), secret);
  }
  assert.doesNotMatch(text, /sesame|argon2/);
});

describe('the audit log', () => {
  test('is filtered by actor, action and target', async () => {
    await view.user(mod, 'role', { role: 'MODERATOR' });
    await asAdmin(mod).user(ann, 'status', { banned: false });
    const count = async (filter: Record<string, string>) => (await view.audits(filter)).total;
    const everything = await count({});
    // Ann set up an authenticator app earlier.
    assert.equal(await count({ actionType: 'SET_UP_TOTP', actorQuery: ann.username }), 1);
    assert.equal(everything, ACTIONS.length + 3);
    assert.equal(await count({ actorQuery: mod.username.toUpperCase() }), 1);
    assert.equal(await count({ actorQuery: 'ADMI' }), everything - 2);
    assert.equal(await count({ actorQuery: '%' }), 0);
    assert.equal(await count({ actionType: 'UPDATE_USER_STATUS' }), 2);
    assert.equal(await count({ targetType: 'USER' }), 12);
    assert.equal(await count({ targetType: 'USER', targetId: String(mod.id) }), 1);
    assert.equal(await count({ targetId: String(policyId), targetType: 'STORAGE_POLICY' }), 3);
    assert.equal(await count({ targetType: 'NONE' }), 0);
    assert.equal(await count({ actorQuery: '', targetId: '', targetType: '' }), everything);
    await admin.refused(400, 1000, 'GET', '/api/admin/audits?actionType=NOTHING');
    await admin.refused(400, 1000, 'GET', '/api/admin/audits?targetId=%00');
  });

  test('can be filtered by every action', async () => {
    for (const actionType of AUDIT_ACTIONS) await view.audits({ actionType });
    for (const actionType of OWNER_ACTIONS) await view.audits({ actionType });
    assert.equal(AUDIT_ACTIONS.length, 31);
  });

  test('is paged, newest first', async () => {
    const all = (await view.audits({ size: 1_000 })).items;
    const collected: AdminAudit[] = [];
    for (let page = 0; collected.length < all.length; page += 1) {
      collected.push(...(await view.audits({ page, size: 3 })).items);
    }
    assert.deepEqual(collected, all);
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).toSorted((a, b) => b - a),
    );
  });

  test('is read-only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      await admin.refused(404, 1003, method, '/api/admin/audits');
    }
  });
});

test('an action whose transaction fails leaves no audit entry', async (context) => {
  const before = (await view.audits()).total;
  const bob = await holdall.register('bob');
  const { database } = holdall.app;
  const transact = database.transact.bind(database);
  context.mock.method(
    database,
    'transact',
    <T>(work: (tx: never) => Promise<T>) =>
      transact(async (tx) => {
        await work(tx as never);
        throw new Error('the database has gone');
      }),
    { times: 1 },
  );
  await admin.refused(500, 1500, 'PATCH', `/api/admin/users/${bob.id}/role`, { body: { role: 'ADMIN' } });
  context.mock.restoreAll();
  assert.equal((await view.audits()).total, before);
  assert.equal((await view.users({ query: bob.username })).items[0]?.role, 'USER');
});

test('every action of a moderator leaves an audit entry in the moderator’s name', async () => {
  const moderator = await holdall.register('moderator');
  await view.user(moderator, 'role', { role: 'MODERATOR' });
  const bea = await holdall.register('bea');
  const at = `/api/admin/users/${bea.id}`;
  const acts = [
    ['PATCH', `${at}/status`, { banned: true }, 'UPDATE_USER_STATUS'],
    ['PATCH', `${at}/status`, { banned: false }, 'UPDATE_USER_STATUS'],
    ['PATCH', `${at}/role`, { role: 'MODERATOR' }, 'UPDATE_USER_ROLE'],
    ['PATCH', `${at}/role`, { role: 'USER' }, 'UPDATE_USER_ROLE'],
    ['POST', `${at}/password/reset`, undefined, 'RESET_USER_PASSWORD'],
    ['PATCH', `${at}/storage-quota`, { storageQuotaBytes: 10 }, 'UPDATE_USER_QUOTA'],
    ['PATCH', `${at}/max-upload-size`, { maxUploadSizeBytes: 9 }, 'UPDATE_USER_UPLOAD_LIMIT'],
    ['PATCH', `${at}/max-entries`, { maxEntries: 8 }, 'UPDATE_USER_MAX_ENTRIES'],
    ['POST', '/api/admin/settings/registration/invite-code/rotate', undefined, 'ROTATE_INVITE_CODE'],
  ] as const;
  for (const [method, path, body, action] of acts) {
    const before = (await view.audits()).total;
    await moderator.ask(method, path, body === undefined ? {} : { body });
    const { items, total } = await view.audits();
    assert.equal(total, before + 1, action);
    assert.deepEqual(
      [items[0]?.actor, items[0]?.actorId, items[0]?.action],
      [moderator.username, moderator.id, action],
    );
  }
});
