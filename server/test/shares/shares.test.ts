// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';

const SHARES = '/api/v2/shares';
const HOUR = 3_600_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: '100000' } });
let alice: Person;
let bob: Person;
let file: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
  file = await alice.upload('/Documents/letter.txt', 'Dear Bob', 'text/plain');
});

const share = (options: object = {}, of = file, person = alice) =>
  person.ask<ShareSummary>('POST', SHARES, { body: { fileId: of.id, ...options } });
const see = (token: string, person = holdall.anonymous) =>
  person.ask<ShareSummary>('GET', `${SHARES}/${token}`);
const importIt = (person: Person, token: string, body?: object) =>
  person.call<EntryRecord>('POST', `${SHARES}/${token}/import`, { body });

const MEMBERS = [
  'allowDownload',
  'allowImport',
  'createdAt',
  'downloadCount',
  'exhausted',
  'expired',
  'expiresAt',
  'id',
  'maxDownloads',
  'ownerUsername',
  'passwordRequired',
  'passwordVerified',
  'shareName',
  'token',
  'viewCount',
];
const FILE_MEMBERS =
  'contentType createdAt directory filename id modifiedAt size thumbnailVersion updatedAt'.split(' ');

describe('a summary', () => {
  test('has the same fields for every caller, and the file for those who may see it', async () => {
    const { token } = await share({ password: 'sesame', shareName: 'For you' });
    const shown = async (summary: object) => Object.keys(summary).sort();
    assert.deepEqual(await shown(await see(token)), MEMBERS);
    assert.deepEqual(await shown(await see(token, bob)), MEMBERS);
    const verified = await holdall.anonymous.ask<ShareSummary>('POST', `${SHARES}/${token}/verify-password`, {
      body: { password: 'sesame' },
    });
    assert.deepEqual(await shown(verified), [...MEMBERS, 'file'].sort());
    assert.deepEqual(await shown(verified.file ?? {}), FILE_MEMBERS);
    const own = await see(token, alice);
    assert.deepEqual(await shown(own), [...MEMBERS, 'file'].sort());
    assert.deepEqual(await shown(own.file ?? {}), [...FILE_MEMBERS, 'driveId', 'parentPath', 'path'].sort());
    const mine = await alice.ask<Listing<ShareSummary>>('GET', `${SHARES}/mine`);
    assert.deepEqual(await shown(mine.items[0] ?? {}), [...MEMBERS, 'file'].sort());
  });

  test('has the requested options, or the defaults', async () => {
    const plain = await share();
    const { id, token, createdAt, file: shown, ...rest } = plain;
    assert.match(token, /^[\w-]{22}$/);
    assert.deepEqual(rest, {
      shareName: 'letter.txt',
      ownerUsername: alice.username,
      passwordRequired: false,
      passwordVerified: true,
      allowImport: true,
      allowDownload: true,
      maxDownloads: null,
      downloadCount: 0,
      viewCount: 0,
      expiresAt: null,
      expired: false,
      exhausted: false,
    });
    assert.deepEqual([shown?.id, shown?.path], [file.id, '/Documents/letter.txt']);
    const expiresAt = new Date(holdall.clock.now() + HOUR).toISOString();
    const full = await share({
      password: 'sesame',
      expiresAt,
      maxDownloads: 3,
      allowImport: false,
      allowDownload: false,
      shareName: 'A letter',
    });
    assert.deepEqual(
      [
        full.shareName,
        full.passwordRequired,
        full.allowImport,
        full.allowDownload,
        full.maxDownloads,
        full.expiresAt,
      ],
      ['A letter', true, false, false, 3, expiresAt],
    );
    assert.notEqual(full.token, token);
    assert.ok(full.id > id && createdAt !== '');
  });

  test('never contains the password or its hash', async () => {
    const { token } = await share({ password: 'open sesame', shareName: 'x' });
    const texts = await Promise.all([
      alice.fetch('GET', `${SHARES}/mine?size=1000`).then((response) => response.text()),
      bob.fetch('GET', `${SHARES}/${token}`).then((response) => response.text()),
      bob
        .fetch('POST', `${SHARES}/${token}/verify-password`, { body: { password: 'open sesame' } })
        .then((response) => response.text()),
    ]);
    for (const text of texts) assert.doesNotMatch(text, /sesame|argon2|passwordHash|"password"/);
  });

  test('treats a blank password as none', async () => {
    for (const password of ['', '   ', null]) {
      assert.equal((await share({ password })).passwordRequired, false);
    }
  });

  test('accepts times with a zone and without', async () => {
    const at = holdall.clock.now() + 48 * HOUR;
    const utc = new Date(at).toISOString().slice(0, 19);
    assert.equal((await share({ expiresAt: utc })).expiresAt, `${utc}.000Z`);
    const east = new Date(at + 2 * HOUR).toISOString().slice(0, 19);
    assert.equal((await share({ expiresAt: `${east}+02:00` })).expiresAt, `${utc}.000Z`);
  });

  test('counts views, but not those of its owner', async () => {
    const { token } = await share();
    assert.equal((await see(token)).viewCount, 1);
    await see(token, alice);
    await holdall.anonymous.fetch('HEAD', `${SHARES}/${token}`);
    assert.equal((await see(token, bob)).viewCount, 2);
  });
});

describe('a share is rejected for', () => {
  const cases: readonly [string, () => object][] = [
    ['a time in the past', () => ({ expiresAt: new Date(holdall.clock.now() - 1).toISOString() })],
    ['a text that is no time', () => ({ expiresAt: 'tomorrow' })],
    ['a time as a number', () => ({ expiresAt: 5 })],
    ['a limit of no downloads', () => ({ maxDownloads: 0 })],
    ['a limit of half a download', () => ({ maxDownloads: 1.5 })],
    ['a password of 129 characters', () => ({ password: 'x'.repeat(129) })],
    ['a name of 256 characters', () => ({ shareName: 'x'.repeat(256) })],
    ['a flag as text', () => ({ allowImport: 'yes' })],
    ['a missing file id', () => ({ fileId: undefined })],
    ['a file id that is no number', () => ({ fileId: 'x' })],
  ];
  for (const [what, options] of cases) {
    test(what, async () => {
      await alice.refused(400, 2400, 'POST', SHARES, { body: { fileId: file.id, ...options() } });
    });
  }

  test('a directory', async () => {
    const directory = await alice.mkdir('/shared directory');
    await alice.refused(400, 2400, 'POST', SHARES, { body: { fileId: directory.id } });
  });

  test("another account's file, or an unknown id", async () => {
    await bob.refused(404, 2404, 'POST', SHARES, { body: { fileId: file.id } });
    await alice.refused(404, 2404, 'POST', SHARES, { body: { fileId: 999_999 } });
    const gone = await alice.upload('/gone', 'x');
    await alice.recycle(gone);
    await alice.refused(404, 2404, 'POST', SHARES, { body: { fileId: gone.id } });
  });

  test('a caller without a login', async () => {
    await holdall.anonymous.refused(401, 2401, 'POST', SHARES, { body: { fileId: file.id } });
    await holdall.anonymous.refused(401, 2401, 'GET', `${SHARES}/mine`);
    const { token, id } = await share();
    await holdall.anonymous.refused(401, 2401, 'POST', `${SHARES}/${token}/import`);
    await holdall.anonymous.refused(401, 2401, 'DELETE', `${SHARES}/${id}`);
  });
});

describe("an account's own shares", () => {
  test('are listed by page, newest first', async () => {
    const carol = await holdall.register('carol');
    const own = await carol.upload('/own', 'x');
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await share({}, own, carol)).id);
    const page = (number: number) =>
      carol.ask<Listing<ShareSummary>>('GET', `${SHARES}/mine?page=${number}&size=2`);
    const pages = [await page(0), await page(1), await page(2)];
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ id }) => id)),
      ids.toReversed(),
    );
    assert.deepEqual([pages[0]?.total, pages[0]?.page, pages[0]?.size], [5, 0, 2]);
    await carol.recycle(own);
    assert.equal((await page(0)).total, 0);
  });

  test('can be deleted by their owner only', async () => {
    const { id, token } = await share();
    await bob.refused(404, 2404, 'DELETE', `${SHARES}/${id}`);
    assert.equal(await alice.ask('DELETE', `${SHARES}/${id}`), null);
    await alice.refused(404, 2404, 'DELETE', `${SHARES}/${id}`);
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}`);
    await bob.refused(404, 2404, 'POST', `${SHARES}/${token}/import`);
  });
});

describe('a password', () => {
  test('unlocks the share; a wrong one does not', async () => {
    const { token } = await share({ password: 'sésame' });
    const verify = (password: unknown) =>
      holdall.anonymous.call<ShareSummary>('POST', `${SHARES}/${token}/verify-password`, {
        body: { password },
      });
    assert.equal((await verify('wrong')).code, 2403);
    assert.equal((await verify('')).code, 2403);
    assert.equal((await verify(5)).code, 2400);
    const right = await verify('se\u0301same');
    assert.deepEqual(
      [right.code, right.data.passwordVerified, right.data.file?.filename],
      [0, true, 'letter.txt'],
    );
    assert.equal((await see(token)).passwordVerified, false);
  });

  test('is required for an import', async () => {
    const { token } = await share({ password: 'sesame' });
    for (const body of [undefined, {}, { password: 'wrong' }, { password: null }]) {
      assert.equal((await importIt(bob, token, body)).code, 2403);
    }
    assert.equal((await importIt(bob, token, { path: '/by password', password: 'sesame' })).code, 0);
    assert.equal((await see(token)).downloadCount, 1);
  });

  test('can be guessed ten times a minute; then the right one is rejected too', async () => {
    const { token } = await share({ password: 'sesame' });
    const other = await share({ password: 'sesame' });
    const verify = (of: string, password: string) =>
      holdall.anonymous.call('POST', `${SHARES}/${of}/verify-password`, { body: { password } });
    for (let guess = 0; guess < 10; guess += 1) assert.equal((await verify(token, `${guess}`)).status, 403);
    const refused = await verify(token, 'sesame');
    assert.deepEqual([refused.status, refused.code], [429, 2429]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const download = await holdall.anonymous.fetch('GET', `${SHARES}/${token}?download&password=sesame`);
    assert.equal(download.status, 429);
    assert.equal((await importIt(bob, token, { password: 'sesame', path: '/late' })).status, 429);
    assert.equal((await verify(other.token, 'sesame')).status, 200);
    holdall.clock.advance(61_000);
    assert.equal((await verify(token, 'sesame')).status, 200);
  });

  test('is ignored by a share that has none', async () => {
    const { token } = await share();
    const body = { password: 'whatever' };
    const shown = await holdall.anonymous.ask<ShareSummary>('POST', `${SHARES}/${token}/verify-password`, {
      body,
    });
    assert.equal(shown.passwordVerified, true);
    assert.equal((await importIt(bob, token, { ...body, path: '/no hindrance' })).code, 0);
  });
});

describe('an import', () => {
  test("creates a file in the caller's drive, in a directory that is created for it", async () => {
    const { token } = await share();
    const { data: record } = await importIt(bob, token, { path: '/from/alice' });
    assert.deepEqual(
      [record.path, record.size, record.contentType],
      ['/from/alice/letter.txt', 8, file.contentType],
    );
    assert.equal((await bob.download(record)).toString(), 'Dear Bob');
    assert.notEqual(record.id, file.id);
    const blobs = await holdall.app.database.db
      .selectFrom('entry')
      .select('blob_id')
      .where('id', 'in', [record.id, file.id])
      .execute();
    assert.equal(new Set(blobs.map((row) => row.blob_id)).size, 1);
  });

  test('goes to the root by default, and is charged', async () => {
    const carol = await holdall.register('carol');
    const { token } = await share();
    const { data: record } = await importIt(carol, token);
    assert.equal(record.path, '/letter.txt');
    assert.equal(await carol.usedBytes(), 8);
    assert.equal((await importIt(carol, token)).code, 2409);
    assert.equal((await see(token)).downloadCount, 1);
  });

  test('that is rejected spends nothing and creates no directory', async () => {
    const carol = await holdall.register('carol');
    await carol.upload('/full', new Uint8Array(99_999));
    const { token } = await share({ maxDownloads: 1 });
    const before = await carol.state();
    assert.equal((await importIt(carol, token, { path: '/new/place' })).code, 2413);
    assert.equal((await importIt(carol, token, { path: '/../x' })).code, 2400);
    assert.equal((await importIt(carol, token, { path: '/full' })).code, 2409);
    assert.deepEqual(await carol.state(), before);
    assert.equal((await see(token)).downloadCount, 0);
  });

  test('is rejected when the share does not allow it, has expired, or has spent its budget', async () => {
    const closed = await share({ allowImport: false });
    assert.equal((await importIt(bob, closed.token)).code, 2403);
    const once = await share({ maxDownloads: 1 });
    assert.equal((await importIt(bob, once.token, { path: '/once' })).code, 0);
    assert.equal((await importIt(bob, once.token, { path: '/twice' })).code, 2410);
    assert.deepEqual([(await see(once.token)).exhausted, (await see(once.token)).expired], [true, false]);
    const short = await share({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
    holdall.clock.advance(60_001);
    assert.equal((await importIt(bob, short.token, { path: '/late' })).code, 2410);
    const seen = await see(short.token);
    assert.deepEqual([seen.expired, seen.file?.filename], [true, 'letter.txt']);
  });
});

describe('a share follows its file', () => {
  test('through rename, move, recycling and restoring, and is gone after the purge', async () => {
    const moving = await alice.upload('/moving/a.txt', 'moves');
    const { token } = await share({}, moving);
    await alice.rename(moving, 'b.txt');
    await alice.mkdir('/elsewhere');
    await alice.move(moving, '/elsewhere');
    // The share keeps the name it was created with: the public must not learn a later name of the file.
    assert.deepEqual([(await see(token)).shareName, (await see(token)).file?.filename], ['a.txt', 'b.txt']);
    assert.equal((await see(token, alice)).file?.path, '/elsewhere/b.txt');
    const [directory] = (await alice.list()).items.filter((entry) => entry.filename === 'elsewhere');
    assert.ok(directory);
    await alice.recycle(directory);
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}`);
    await bob.refused(404, 2404, 'POST', `${SHARES}/${token}/import`);
    await alice.restore(directory);
    assert.equal((await see(token)).file?.filename, 'b.txt');
    await alice.recycle(directory);
    await alice.purge(directory);
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}`);
    const rows = await holdall.app.database.db
      .selectFrom('share')
      .selectAll()
      .where('token', '=', token)
      .execute();
    assert.deepEqual(rows, []);
  });
});

describe('the shares of a banned account', () => {
  test('are unavailable until the ban is lifted', async () => {
    const carol = await holdall.register('carol');
    const own = await carol.upload('/own', 'x');
    const { token } = await share({}, own, carol);
    const { token: linkToken } = await carol.ask<{ token: string }>(
      'POST',
      `/api/files/${own.id}/share-links`,
    );
    const admin = await holdall.admin();
    const ban = (banned: boolean) =>
      admin.ask('PATCH', `/api/admin/users/${carol.id}/status`, { body: { banned } });
    await ban(true);
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}`);
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}?download`);
    assert.equal((await importIt(bob, token)).code, 2404);
    await holdall.anonymous.refused(404, 1003, 'GET', `/api/files/share-links/${linkToken}`);
    await ban(false);
    assert.equal((await see(token)).shareName, 'own');
  });
});

test('a count records when the share was last accessed', async () => {
  const { token, id } = await share();
  const lastAccess = async () => {
    const row = await holdall.app.database.db
      .selectFrom('share')
      .select('last_accessed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.last_accessed_at;
  };
  assert.equal(await lastAccess(), null);
  await see(token);
  const seen = await lastAccess();
  assert.ok(seen !== null && Math.abs(seen - holdall.clock.now()) < 5_000);
  holdall.clock.advance(60_000);
  await importIt(bob, token, { path: '/accessed' });
  assert.ok(((await lastAccess()) ?? 0) >= seen + 60_000);
});

test('unknown tokens are not found', async () => {
  for (const token of ['x', 'A'.repeat(22), 'A'.repeat(500), '%01', "'%20or%20'1'='1", '..%2Fmine']) {
    await holdall.anonymous.refused(404, 2404, 'GET', `${SHARES}/${token}`);
  }
});
