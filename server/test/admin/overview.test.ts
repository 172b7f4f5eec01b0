// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '../../src/accounts/contract.ts';
import type { Maintenance, SettingsSnapshot } from '../../src/admin/overview/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { ADMIN_PASSWORD, startHoldall } from '../support/app/holdall.ts';
import { applicationOf, type Person } from '../support/app/person.ts';
import { atEveryInstance } from '../support/checks/race.ts';

const SECRETS = {
  HOLDALL_JWT_SECRET: 'the secret that signs the access tokens',
  HOLDALL_DOWNLOAD_SECRET: 'the secret that signs the download addresses',
  HOLDALL_METRICS_TOKEN: 'the token for the metrics',
};
const TURN_SECRET = 'the secret of the turn server';

const env = {
  ...SECRETS,
  HOLDALL_ICE_SERVERS: JSON.stringify([{ urls: 'turn:turn.example.org', secret: TURN_SECRET }]),
  HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '1000000',
  HOLDALL_ACCESS_TOKEN_TTL: '30d',
};
const holdall = await startHoldall({ env });
const secondInstance = await startHoldall({ beside: holdall, env });
const admin = await holdall.admin();
const view = asAdmin(admin);

const INVITE_CODE = '/api/admin/settings/registration/invite-code';
const ACCOUNT_DEFAULTS = '/api/admin/settings/registration/account-defaults';
const OFFLINE_LIMIT = '/api/admin/settings/offline-transfer-storage-limit';

describe('the summary', () => {
  test('counts users, live files and stored bytes, with each object once', async () => {
    const before = await view.summary();
    const ann = await holdall.register('ann');
    const file = await ann.upload('/file', '12345');
    await ann.copy(file, '/Documents');
    const recycled = await ann.upload('/recycled', '123');
    await ann.recycle(recycled);
    const after = await view.summary();
    assert.deepEqual(Object.keys(after), [
      'totalUsers',
      'totalSharedDrives',
      'totalFiles',
      'totalStorageBytes',
      'inviteCode',
      'requestCount',
      'requestTimeline',
      'dailyActiveUsers',
      'offlineTransferStorageBytes',
      'offlineTransferStorageLimitBytes',
    ]);
    assert.equal(after.totalUsers, before.totalUsers + 1);
    assert.equal(after.totalFiles, before.totalFiles + 2);
    assert.equal(after.totalStorageBytes, before.totalStorageBytes + 8);
    assert.equal(after.inviteCode, await holdall.inviteCode());
    await ann.restore(recycled);
    assert.equal((await view.summary()).totalFiles, before.totalFiles + 3);
  });

  test('counts an OFFLINE transfer only until it expires, even before the clean-up removes it', async () => {
    const ann = await holdall.register('ann');
    const before = await view.summary();
    await ann.ask('POST', '/api/transfer/sessions', {
      body: { mode: 'OFFLINE', files: [{ name: 'a', size: 700 }] },
    });
    await holdall.anonymous.ask('POST', '/api/transfer/sessions', {
      body: { mode: 'ONLINE', files: [{ name: 'a', size: 800 }] },
    });
    const during = await view.summary();
    assert.equal(during.offlineTransferStorageBytes, before.offlineTransferStorageBytes + 700);
    assert.equal(during.offlineTransferStorageLimitBytes, 1_000_000);
    holdall.clock.advance(7 * 24 * 3_600_000 + 1_000);
    assert.equal((await view.summary()).offlineTransferStorageBytes, 0);
  });
});

describe('the invite code', () => {
  test('set by an administrator admits one registration', async () => {
    const body = { inviteCode: '  Come in, 2026!  ' };
    assert.deepEqual(await admin.ask('PATCH', INVITE_CODE, { body }), { inviteCode: 'Come in, 2026!' });
    assert.equal((await view.summary()).inviteCode, 'Come in, 2026!');
    const register = (name: string) =>
      secondInstance.anonymous.call('POST', '/api/auth/register', {
        body: applicationOf(name, 'Come in, 2026!'),
      });
    assert.equal((await register('first.guest')).status, 200);
    assert.equal((await register('second.guest')).status, 400);
  });

  test('has 8 to 64 characters', async () => {
    const before = await holdall.inviteCode();
    for (const inviteCode of [
      '',
      '   ',
      ' 1234567 ',
      'x'.repeat(65),
      'a\nb',
      'a\u0000b',
      '\ud800',
      5,
      null,
      undefined,
    ]) {
      await admin.refused(400, 1000, 'PATCH', INVITE_CODE, { body: { inviteCode } });
    }
    assert.equal(await holdall.inviteCode(), before);
    await admin.ask('PATCH', INVITE_CODE, { body: { inviteCode: 'ü'.repeat(64) } });
  });

  test('can be replaced by a random one, which invalidates the old one', async () => {
    const old = await holdall.inviteCode();
    const { inviteCode } = await admin.ask<{ inviteCode: string }>('POST', `${INVITE_CODE}/rotate`);
    assert.notEqual(inviteCode, old);
    assert.equal(inviteCode, await holdall.inviteCode());
    await holdall.anonymous.refused(400, 1003, 'POST', '/api/auth/register', {
      body: applicationOf('third.guest', old),
    });
  });
});

test('the storage limit of OFFLINE transfers applies on every instance once an administrator sets it', async () => {
  const body = { offlineTransferStorageLimitBytes: 12_345 };
  assert.deepEqual(await admin.ask('PATCH', OFFLINE_LIMIT, { body }), body);
  assert.equal((await view.summary()).offlineTransferStorageLimitBytes, 12_345);
  const [adminAtSecond] = atEveryInstance(admin, [secondInstance.url]);
  assert.ok(adminAtSecond);
  assert.equal((await asAdmin(adminAtSecond).summary()).offlineTransferStorageLimitBytes, 12_345);
  for (const bytes of [-1, 1.5, '5', null, undefined, 2 ** 60]) {
    const bad = { body: { offlineTransferStorageLimitBytes: bytes } };
    await admin.refused(400, 1000, 'PATCH', OFFLINE_LIMIT, bad);
  }
  await admin.ask('PATCH', OFFLINE_LIMIT, { body: { offlineTransferStorageLimitBytes: 0 } });
  assert.equal((await view.summary()).offlineTransferStorageLimitBytes, 0);
});

describe('the defaults of new accounts', () => {
  const change = (body: object) => admin.ask<object>('PATCH', ACCOUNT_DEFAULTS, { body });

  test('apply on every instance to accounts that are created later, and only to those', async () => {
    const before = await holdall.register('before');
    const limits = {
      defaultStorageQuotaBytes: 7_000_000,
      defaultMaxUploadSizeBytes: 5_000_000,
      defaultMaxEntries: 77,
    };
    assert.deepEqual({ ...(await change(limits)), ...limits }, await change(limits));
    const [adminAtSecond] = atEveryInstance(admin, [secondInstance.url]);
    const snapshot = await adminAtSecond?.ask<SettingsSnapshot>('GET', '/api/admin/settings');
    assert.deepEqual({ ...snapshot?.registration, ...limits }, snapshot?.registration);
    const limitsOf = async (person: Person) => {
      const { storageQuotaBytes, maxUploadSizeBytes, maxEntries } = await person.ask<User>(
        'GET',
        '/api/user/profile',
      );
      return [storageQuotaBytes, maxUploadSizeBytes, maxEntries];
    };
    assert.deepEqual(await limitsOf(await holdall.register('after')), [7_000_000, 5_000_000, 77]);
    assert.notDeepEqual(await limitsOf(before), [7_000_000, 5_000_000, 77]);
  });

  test('can be changed one by one, and null restores the configured value', async () => {
    await change({
      defaultStorageQuotaBytes: null,
      defaultMaxUploadSizeBytes: null,
      defaultMaxEntries: null,
    });
    const configured = await change({ defaultMaxEntries: 77 });
    await Promise.all([change({ defaultMaxEntries: 78 }), change({ defaultStorageQuotaBytes: 9_000 })]);
    assert.deepEqual(await change({ defaultMaxUploadSizeBytes: 8_000 }), {
      ...configured,
      defaultStorageQuotaBytes: 9_000,
      defaultMaxUploadSizeBytes: 8_000,
      defaultMaxEntries: 78,
    });
    const nulls = { defaultStorageQuotaBytes: null, defaultMaxUploadSizeBytes: null };
    assert.deepEqual(await change({ ...nulls, defaultMaxEntries: 77 }), configured);
    await change({ defaultMaxEntries: null });
  });

  test('include the directories of new drives, on every instance', async () => {
    const [adminAtSecond] = atEveryInstance(admin, [secondInstance.url]);
    const namesOfNew = async () => (await (await holdall.register('new')).names('/')).toSorted();
    await adminAtSecond?.ask('PATCH', ACCOUNT_DEFAULTS, {
      body: { defaultDirectories: ['Post', ' U\u0308bersicht ', '收件箱'] },
    });
    assert.deepEqual(await namesOfNew(), ['Post', 'Übersicht', '收件箱'].toSorted());
    await change({ defaultDirectories: [] });
    assert.deepEqual(await namesOfNew(), []);
    await change({ defaultDirectories: null });
    assert.deepEqual(await namesOfNew(), ['Documents', 'Downloads', 'Pictures']);
  });

  test('cannot name a directory twice, or give it an invalid name', async () => {
    const tooMany = Array.from({ length: 51 }, (_, index) => `Directory ${index}`);
    for (const names of [
      ['a', 'a'],
      ['\u00e9', 'e\u0301'],
      ['a/b'],
      ['..'],
      ['  '],
      ['x'.repeat(256)],
      tooMany,
    ]) {
      const body = { defaultDirectories: names };
      await admin.refused(400, 1000, 'PATCH', ACCOUNT_DEFAULTS, { body });
    }
  });

  test('must allow enough entries for the directories of a new account, even if both change together', async () => {
    await change({ defaultMaxEntries: 5, defaultDirectories: ['a', 'b'] });
    const fewer = admin.call('PATCH', ACCOUNT_DEFAULTS, { body: { defaultMaxEntries: 3 } });
    const more = admin.call('PATCH', ACCOUNT_DEFAULTS, {
      body: { defaultDirectories: ['a', 'b', 'c', 'd'] },
    });
    const statuses = (await Promise.all([fewer, more])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 400]);
    assert.ok((await (await holdall.register('new')).names('/')).length >= 2);
    await change({ defaultMaxEntries: null, defaultDirectories: null });
  });

  test('that no account could have are rejected', async () => {
    for (const body of [{}, { defaultMaxEntries: 0 }, { defaultMaxEntries: 1 }, { defaultMaxEntries: '5' }]) {
      await admin.refused(400, 1000, 'PATCH', ACCOUNT_DEFAULTS, { body });
    }
    for (const bytes of [0, -1, 1.5, 2 ** 60]) {
      const body = { defaultStorageQuotaBytes: bytes };
      await admin.refused(400, 1000, 'PATCH', ACCOUNT_DEFAULTS, { body });
    }
  });
});

describe('the record of maintenance', () => {
  const maintenance = () => admin.ask<Maintenance>('GET', '/api/admin/maintenance');
  const runOf = async (name: string) => (await maintenance()).jobs.find((job) => job.name === name);

  test('shows which job failed and why, and when it last succeeded', async (t) => {
    await holdall.app.cleanUp();
    const before = await runOf('delete old events');
    assert.deepEqual([before?.error, before?.failures, before?.succeededAt], [null, 0, before?.endedAt]);
    const failing = t.mock.method(holdall.app.events, 'deleteExpired', () =>
      Promise.reject(new Error('no such table: event')),
    );
    await holdall.app.cleanUp();
    failing.mock.restore();
    const failed = await runOf('delete old events');
    assert.deepEqual(
      [failed?.error, failed?.failures, failed?.succeededAt],
      ['no such table: event', 1, before?.succeededAt],
    );
    await holdall.app.cleanUp();
    const after = await runOf('delete old events');
    assert.deepEqual([after?.error, after?.failures, after?.succeededAt], [null, 1, after?.endedAt]);
  });

  test('counts a sweep as failed if it skips over a fault', async (t) => {
    const { store } = holdall.app;
    t.mock.method(store, 'removeAbandonedWrites', () => Promise.reject(new Error('the disk is gone')));
    await holdall.app.cleanUp();
    assert.equal((await runOf('sweep the store'))?.error, 'the disk is gone');
  });

  test('shows the last backup and the last doctor run, or none at first', async () => {
    const { backup, doctor, deepDoctor } = await maintenance();
    assert.deepEqual([backup, doctor, deepDoctor], [null, null, null]);
    await holdall.app.jobRuns.record('backup', async () => {});
    const after = await maintenance();
    assert.equal(after.backup?.error, null);
    assert.ok(after.jobs.every(({ name }) => name !== 'backup'));
  });
});

describe('the snapshot', () => {
  test('of the settings shows the running configuration', async () => {
    const snapshot = await admin.ask<Record<string, Record<string, unknown>>>('GET', '/api/admin/settings');
    assert.deepEqual(Object.keys(snapshot), [
      'registration',
      'sessions',
      'drives',
      'transfer',
      'tasks',
      'storage',
      'database',
      'timeZone',
      'version',
    ]);
    assert.equal(snapshot.sessions?.accessTokenSeconds, 30 * 24 * 3_600);
    assert.equal(snapshot.transfer?.iceServerCount, 1);
    assert.deepEqual(snapshot.drives, {
      ...{ sharedDriveCreators: 'all', maxSharedDrives: 10, peopleSearch: 'known' },
      deletedDriveRetentionSeconds: 10 * 24 * 3_600,
    });
    assert.equal(snapshot.database?.engine, holdall.databaseUrl === undefined ? 'sqlite' : 'postgres');
    assert.deepEqual(snapshot.registration?.defaultDirectories, ['Documents', 'Pictures', 'Downloads']);
    assert.equal(snapshot.registration?.inviteCode, await holdall.inviteCode());
  });

  test('of the file system shows the default policy and the free space', async () => {
    const seen = await admin.ask<Record<string, Record<string, number>>>('GET', '/api/admin/filesystem');
    const { totalBytes = 0, freeBytes = 0, availableBytes = 0 } = seen.dataDirectory ?? {};
    assert.ok(totalBytes >= freeBytes && freeBytes >= availableBytes && availableBytes > 0);
    assert.equal(seen.defaultPolicy?.defaultPolicy, true);
    assert.equal(seen.objectsOnDataDirectory, seen.defaultPolicy?.type === ('LOCAL' as unknown));
    assert.equal(seen.storedBytes, (await view.summary()).totalStorageBytes);
  });

  test('of either kind, like every other answer, contains no configured secret', async () => {
    const ann = await holdall.register('ann');
    await ann.upload('/file', 'x');
    const { storage, databaseUrl } = holdall;
    const secrets = [
      ...Object.values(SECRETS),
      TURN_SECRET,
      ADMIN_PASSWORD,
      storage.env.HOLDALL_S3_SECRET_ACCESS_KEY,
      storage.env.HOLDALL_S3_ACCESS_KEY_ID,
      databaseUrl === undefined ? undefined : new URL(databaseUrl).password,
      databaseUrl,
    ].filter((secret) => secret !== undefined && secret !== '');
    const routes = holdall.app.server
      .listMountedRoutes()
      .filter(({ method, url }) => method === 'GET' && url.startsWith('/api/admin/') && !url.includes(':'));
    assert.ok(routes.length >= 8);
    for (const { url } of routes) {
      const text = await (await admin.fetch('GET', `${url}?size=1000`)).text();
      for (const secret of secrets) assert.ok(!text.includes(String(secret)), `${url} tells ${secret}`);
      assert.doesNotMatch(text, /argon2|passwordHash|refreshHash/i, url);
    }
  });
});
