// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import type { SessionRecord } from '../../src/uploads/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { changePolicy, withoutDirect } from '../support/storage/change-policy.ts';
import { assertRefused, ok, openSession, SESSIONS, SessionCalls } from '../support/uploads/upload-session.ts';

const QUOTA = 300_000;
const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` } });
const HOUR = 3_600_000;
let alice: Person;

await withoutDirect(holdall);
afterEach(() => checkBooks(holdall));

describe('a session whose bytes come through the service', () => {
  before(async () => {
    alice = await holdall.register('alice');
  });

  test('shows all its fields, and the next requests', async () => {
    const { session } = await openSession(alice, {
      path: '/new/place',
      filename: 'a.PDF',
      size: 12,
      contentType: 'application/pdf',
    });
    const base = `${SESSIONS}/${session.sessionId}`;
    const { objectKey, storagePolicyId, createdAt, updatedAt, expiresAt, ...rest } = session;
    assert.deepEqual(rest, {
      sessionId: session.sessionId,
      directUpload: false,
      multipartUpload: false,
      uploadMode: 'PROXY',
      path: '/new/place',
      filename: 'a.PDF',
      contentType: 'application/pdf',
      size: 12,
      status: 'CREATED',
      chunkSize: 12,
      chunkCount: 1,
      fileId: null,
      modifiedAt: null,
      strategy: {
        proxyContentUrl: `${base}/content`,
        proxyFormField: 'file',
        completeUrl: `${base}/complete`,
      },
    });
    assert.match(objectKey, /^blobs\/[\w/-]+$/);
    assert.ok(storagePolicyId >= 1);
    assert.equal(updatedAt, createdAt);
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 24 * HOUR);
    assert.deepEqual(await alice.names(), ['Documents', 'Downloads', 'Pictures']);
  });

  test('becomes a file when it is completed', async () => {
    const bytes = randomBytes(100_000);
    const { session, calls } = await openSession(alice, {
      path: '/a/b',
      filename: 'x.bin',
      size: bytes.length,
    });
    assert.equal(ok(await calls.send(bytes)).status, 'UPLOADING');
    assert.equal(await alice.usedBytes(), 0);
    const completed = ok(await calls.complete());
    assert.equal(completed.status, 'COMPLETED');
    assert.equal(completed.objectKey, session.objectKey);
    const [file] = (await alice.list('/a/b')).items;
    assert.ok(file);
    assert.equal(completed.fileId, file.id);
    assert.deepEqual([file.filename, file.size], ['x.bin', bytes.length]);
    assert.ok((await alice.download(file)).equals(bytes));
    assert.equal((await alice.details(file)).sha256?.length, 64);
    assert.equal(await alice.usedBytes(), bytes.length);
  });

  test('gives the same answer when it is completed again', async () => {
    const { calls } = await openSession(alice, { filename: 'again', size: 3 });
    ok(await calls.send('abc'));
    const first = ok(await calls.complete());
    assert.deepEqual(ok(await calls.complete()), first);
    assert.deepEqual(ok(await calls.complete()), first);
  });

  test('may have no bytes', async () => {
    const { calls } = await openSession(alice, { filename: 'empty', size: 0 });
    assertRefused(await calls.complete(), 400);
    ok(await calls.send(''));
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).length, 0);
  });

  test('accepts its bytes again while it is open; the last ones count', async () => {
    const { calls } = await openSession(alice, { filename: 'twice', size: 5 });
    ok(await calls.send('first'));
    ok(await calls.send('third'));
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).toString(), 'third');
  });

  test('accepts exactly the announced number of bytes', async () => {
    const { calls } = await openSession(alice, { filename: 'exact', size: 5 });
    assertRefused(await calls.send('four'), 400);
    assertRefused(await calls.send('sixsix'), 413);
    assertRefused(await calls.send(new Uint8Array(200_000)), 413);
    assertRefused(await calls.send('right', 'files'), 400);
    assertRefused(await calls.complete(), 400);
    ok(await calls.send('right'));
    assertRefused(await calls.send('four'), 400);
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).toString(), 'right');
  });

  test('has no parts to prepare or record', async () => {
    const { calls } = await openSession(alice, { filename: 'proxy', size: 5 });
    assertRefused(await calls.prepare(), 400);
    assertRefused(await calls.preparePart(0), 400);
    assertRefused(await calls.recordPart(0, { etag: 'x', size: 5 }), 400);
    ok(await calls.cancel());
  });
});

describe('the progress of a session', () => {
  test('goes from 0 to 100 percent, and is null at the end', async () => {
    const bob = await holdall.register('bob');
    const { calls } = await openSession(bob, { filename: 'seen', size: 4 });
    const before = ok(await calls.get());
    assert.deepEqual(before.runtime, {
      phase: 'created',
      uploadedBytes: 0,
      uploadedPartCount: 0,
      progressPercent: 0,
      lastUpdatedAt: before.updatedAt,
      expiresAt: before.expiresAt,
    });
    ok(await calls.send('four'));
    const sent = ok(await calls.get());
    assert.deepEqual(
      [
        sent.runtime?.phase,
        sent.runtime?.uploadedBytes,
        sent.runtime?.uploadedPartCount,
        sent.runtime?.progressPercent,
      ],
      ['uploading', 4, 1, 100],
    );
    ok(await calls.complete());
    assert.equal(ok(await calls.get()).runtime, null);
  });

  test('is not part of any other answer', async () => {
    const bob = await holdall.register('bob');
    const { session, calls } = await openSession(bob, { filename: 'seen', size: 0 });
    assert.ok(!('runtime' in session));
    assert.ok(!('runtime' in ok(await calls.send(''))));
    assert.ok(!('runtime' in ok(await calls.complete())));
  });
});

describe("another account's session", () => {
  test('is not found', async () => {
    const [owner, mallory] = [await holdall.register('owner'), await holdall.register('mallory')];
    const { calls } = await openSession(owner, { filename: 'mine', size: 4 });
    const theirs = calls.by(mallory);
    for (const answer of [
      await theirs.get(),
      await theirs.send('evil'),
      await theirs.prepare(),
      await theirs.preparePart(0),
      await theirs.recordPart(0, { etag: 'x', size: 4 }),
      await theirs.complete(),
      await theirs.cancel(),
    ]) {
      assertRefused(answer, 404);
    }
    ok(await calls.send('mine'));
    ok(await calls.complete());
    assert.equal(await mallory.usedBytes(), 0);
    assertRefused(await new SessionCalls(owner, '00000000-0000-4000-8000-000000000000').get(), 404);
    assertRefused(await new SessionCalls(owner, 'no-uuid').get(), 400);
  });
});

describe('a session that has ended', () => {
  test('rejects every request and does not change', async () => {
    const carol = await holdall.register('carol');
    const { calls } = await openSession(carol, { filename: 'cancelled', size: 4 });
    ok(await calls.send('four'));
    assert.equal(ok(await calls.cancel()).status, 'CANCELLED');
    for (const answer of [await calls.send('four'), await calls.complete(), await calls.cancel()]) {
      assertRefused(answer, 400);
    }
    assert.equal(ok(await calls.get()).status, 'CANCELLED');
    assert.deepEqual(await carol.names(), ['Documents', 'Downloads', 'Pictures']);

    const { calls: done } = await openSession(carol, { filename: 'completed', size: 4 });
    ok(await done.send('four'));
    ok(await done.complete());
    for (const answer of [await done.send('more'), await done.cancel()]) assertRefused(answer, 400);
    assert.equal(ok(await done.get()).status, 'COMPLETED');
  });

  test('by expiry rejects every request, before and after the clean-up', async () => {
    const carol = await holdall.register('carol');
    const { calls } = await openSession(carol, { filename: 'late', size: 4 });
    ok(await calls.send('four'));
    holdall.clock.advance(24 * HOUR);
    await carol.logIn();
    const check = async () => {
      for (const answer of [await calls.send('four'), await calls.complete(), await calls.cancel()]) {
        assertRefused(answer, 400);
      }
      const seen = ok(await calls.get());
      assert.deepEqual([seen.status, seen.runtime], ['EXPIRED', null]);
    };
    await check();
    await holdall.app.cleanUp();
    await check();
    holdall.clock.advance(8 * 24 * HOUR);
    await holdall.app.cleanUp();
    await carol.logIn();
    assertRefused(await calls.get(), 404);
  });

  test('leaves no bytes behind', async () => {
    const carol = await holdall.register('carol');
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of holdall.app.store.list('')) found.push(key);
      return found.sort();
    };
    const nothing = await keys();
    const open = async (filename: string) => (await openSession(carol, { filename, size: 4 })).calls;
    const [cancelled, expired] = [await open('a'), await open('b')];
    ok(await cancelled.send('four'));
    ok(await cancelled.send('more'));
    ok(await expired.send('four'));
    assert.equal((await keys()).length, nothing.length + 2);
    ok(await cancelled.cancel());
    assert.equal((await keys()).length, nothing.length + 1);
    holdall.clock.advance(24 * HOUR);
    await holdall.app.cleanUp();
    assert.deepEqual(await keys(), nothing);
  });
});

describe('an announcement is rejected for', () => {
  let dave: Person;
  before(async () => {
    dave = await holdall.register('dave');
    await dave.upload('/Documents/taken', 'x');
  });
  const cases: readonly [string, number, object][] = [
    ['no name', 400, { size: 1 }],
    ['no size', 400, { filename: 'a' }],
    ['a size below 0', 400, { filename: 'a', size: -1 }],
    ['a size in text', 400, { filename: 'a', size: '1' }],
    ['a name with a slash', 400, { filename: 'a/b', size: 1 }],
    ['a name that climbs', 400, { filename: '..', size: 1 }],
    ['a path that climbs', 400, { path: '/../a', filename: 'a', size: 1 }],
    ['a path too deep', 400, { path: '/d'.repeat(128), filename: 'a', size: 1 }],
    ['a name that is taken', 409, { path: '/Documents', filename: 'taken', size: 1 }],
    ['the name of a directory', 409, { filename: 'Documents', size: 1 }],
    ['a directory that is a file', 409, { path: '/Documents/taken', filename: 'a', size: 1 }],
    ['more than the quota', 413, { filename: 'a', size: QUOTA + 1 }],
    ['more than an upload may have', 413, { filename: 'a', size: 11 * 1024 ** 3 }],
  ];
  for (const [what, status, body] of cases) {
    test(what, async () => {
      const before = await dave.state();
      assertRefused(await dave.call('POST', SESSIONS, { body }), status);
      assert.deepEqual(await dave.state(), before);
    });
  }

  test('a size above the limit of the policy', async () => {
    await changePolicy(holdall, { max_size_bytes: 1_000 });
    try {
      assertRefused(await dave.call('POST', SESSIONS, { body: { filename: 'a', size: 1_001 } }), 413);
      const { calls } = await openSession(dave, { filename: 'just', size: 1_000 });
      ok(await calls.send(new Uint8Array(1_000)));
      await changePolicy(holdall, { max_size_bytes: 999 });
      assertRefused(await calls.complete(), 413);
      await changePolicy(holdall, { max_size_bytes: 1_000 });
      ok(await calls.complete());
    } finally {
      await changePolicy(holdall, { max_size_bytes: 1024 ** 4 });
    }
  });

  test('a size above the quota that other announced uploads leave', async () => {
    const erin = await holdall.register('erin');
    const { calls } = await openSession(erin, { filename: 'first', size: 200_000 });
    assertRefused(await erin.call('POST', SESSIONS, { body: { filename: 'second', size: 100_001 } }), 413);
    await openSession(erin, { filename: 'none', size: 0 });
    ok(await calls.cancel());
    await openSession(erin, { filename: 'second', size: 100_001 });
  });
});

describe('a rejected completion', () => {
  test('leaves the session open for another attempt', async () => {
    const frank = await holdall.register('frank');
    const { calls } = await openSession(frank, { path: '/to', filename: 'name', size: 4 });
    ok(await calls.send('mine'));
    const taken = await frank.upload('/to/name', 'theirs');
    assertRefused(await calls.complete(), 409);
    assert.equal(ok(await calls.get()).status, 'UPLOADING');
    assert.equal((await frank.download(taken)).toString(), 'theirs');
    await frank.rename(taken, 'other');
    const { fileId } = ok(await calls.complete());
    assert.equal((await frank.download({ id: fileId ?? 0 })).toString(), 'mine');
  });

  test('for lack of quota charges nothing, and succeeds once there is room', async () => {
    const frank = await holdall.register('frank');
    const { calls } = await openSession(frank, { filename: 'big', size: 200_000 });
    ok(await calls.send(new Uint8Array(200_000)));
    const other = await frank.upload('/other', new Uint8Array(200_000));
    assertRefused(await calls.complete(), 413);
    assert.equal(await frank.usedBytes(), 200_000);
    await frank.recycle(other);
    ok(await calls.complete());
    assert.equal(await frank.usedBytes(), 200_000);
  });

  test('for disabled storage succeeds once the storage is enabled', async () => {
    const frank = await holdall.register('frank');
    const { calls } = await openSession(frank, { filename: 'disabled', size: 4 });
    ok(await calls.send('four'));
    // A constraint keeps the default policy enabled; a former default may be disabled.
    const { database } = holdall.app;
    const set = (enabled: 0 | 1) =>
      database.transact((tx) =>
        tx.updateTable('storage_policy').set({ enabled, is_default: enabled }).execute(),
      );
    await set(0);
    try {
      for (const answer of [await calls.send('more'), await calls.complete()]) assertRefused(answer, 400);
    } finally {
      await set(1);
    }
    holdall.clock.advance(2_000);
    ok(await calls.complete());
  });
});

test('a legacy key is not found as a session, nor a session as a legacy key', async () => {
  const grace = await holdall.register('grace');
  const { session } = await openSession(grace, { filename: 'a', size: 1 });
  const body = { filename: 'a', storageName: session.objectKey };
  await grace.refused(404, 1003, 'POST', '/api/files/upload/complete', { body });
  const { storageName } = await grace.ask<{ storageName: string }>('POST', '/api/files/upload/initiate', {
    body: { filename: 'b', size: 1 },
  });
  const row = await holdall.app.database.db
    .selectFrom('upload_session')
    .select('id')
    .where('object_key', '=', storageName)
    .executeTakeFirstOrThrow();
  assertRefused(await new SessionCalls(grace, row.id).get(), 404);
});

test('of two sessions for one name the second completion is rejected', async () => {
  const heidi = await holdall.register('heidi');
  const open = async () => {
    const { calls } = await openSession(heidi, { filename: 'one', size: 1 });
    ok(await calls.send('1'));
    return calls;
  };
  const [first, second] = [await open(), await open()];
  const record: SessionRecord = ok(await first.complete());
  assertRefused(await second.complete(), 409);
  assert.equal((await heidi.list('/')).items.filter(({ id }) => id === record.fileId).length, 1);
});
