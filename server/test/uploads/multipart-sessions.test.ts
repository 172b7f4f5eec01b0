// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, before, describe, type TestContext, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { assertTus, TUS, TusUpload } from '../support/uploads/tus.ts';
import {
  assertRefused,
  ok,
  openSession,
  putTo,
  SESSIONS,
  type SessionCalls,
} from '../support/uploads/upload-session.ts';

const CHUNK = 8 * 1024 * 1024;
const HOUR = 3_600_000;

const holdall = await startHoldall();
const beside = await startHoldall({ beside: holdall });
const bytes = randomBytes(CHUNK + 1_000);
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

/** Opens a session of two parts, uploads the parts to the store and records them. */
async function openSent(filename: string, parts: readonly number[] = [0, 1]): Promise<SessionCalls> {
  const { calls } = await openSession(alice, { path: '/parts', filename, size: bytes.length });
  for (const index of parts) await calls.putPart(index, partOf(index));
  return calls;
}

function partOf(index: number): Uint8Array<ArrayBuffer> {
  return bytes.subarray(index * CHUNK, (index + 1) * CHUNK);
}

describe('a session whose parts go to the store', () => {
  test('shows its mode and the next requests', async () => {
    const { session } = await openSession(alice, { filename: 'said', size: bytes.length });
    const base = `${SESSIONS}/${session.sessionId}`;
    assert.deepEqual(
      [session.uploadMode, session.directUpload, session.multipartUpload, session.status],
      ['DIRECT_MULTIPART', true, true, 'CREATED'],
    );
    assert.deepEqual([session.chunkSize, session.chunkCount], [CHUNK, 2]);
    assert.deepEqual(session.strategy, {
      partPrepareUrlTemplate: `${base}/parts/{partIndex}/prepare`,
      partRecordUrlTemplate: `${base}/parts/{partIndex}`,
      completeUrl: `${base}/complete`,
    });
  });

  test('becomes a file of the parts in their order; its checksum is computed later', async () => {
    const { calls } = await openSession(alice, { path: '/a/b', filename: 'x.bin', size: bytes.length });
    await calls.putPart(1, partOf(1));
    await calls.putPart(0, partOf(0));
    const completed = ok(await calls.complete());
    assert.equal(completed.status, 'COMPLETED');
    const [file] = (await alice.list('/a/b')).items;
    assert.deepEqual([file?.id, file?.size], [completed.fileId, bytes.length]);
    assert.ok((await alice.download(file as EntryRecord)).equals(bytes));
    await holdall.app.cleanUp();
    const { sha256 } = await alice.details(file as EntryRecord);
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.deepEqual(ok(await calls.complete()), completed);
  });

  test('shows its progress on every instance', async () => {
    const [, other] = atEveryInstance(alice, [holdall.url, beside.url]);
    assert.ok(other);
    const { calls } = await openSession(alice, { filename: 'seen', size: bytes.length });
    const seen = async () => {
      const { runtime } = ok(await calls.by(other).get());
      return [runtime?.phase, runtime?.uploadedBytes, runtime?.uploadedPartCount, runtime?.progressPercent];
    };
    assert.deepEqual(await seen(), ['created', 0, 0, 0]);
    await calls.putPart(0, partOf(0));
    assert.deepEqual(await seen(), ['uploading', CHUNK, 1, 99]);
    await calls.by(other).putPart(1, partOf(1));
    assert.deepEqual(await seen(), ['uploading', bytes.length, 2, 100]);
    ok(await calls.by(other).complete());
    assert.equal(ok(await calls.get()).runtime, null);
  });

  test('without bytes has one empty part', async () => {
    const { session, calls } = await openSession(alice, { filename: 'empty', size: 0 });
    assert.equal(session.chunkCount, 1);
    await calls.putPart(0, new Uint8Array());
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.download({ id: fileId ?? 0 })).length, 0);
  });

  test('accepts a part again; the last record counts', async () => {
    const calls = await openSent('again');
    const other = randomBytes(CHUNK);
    await calls.putPart(0, other);
    const { fileId } = ok(await calls.complete());
    const got = await alice.download({ id: fileId ?? 0 });
    assert.ok(got.equals(Buffer.concat([other, partOf(1)])));
  });
});

describe('an invalid part', () => {
  test('with an index out of range is rejected', async () => {
    const calls = await openSent('range', []);
    for (const index of [2, 9_999, -1, 1.5, 'x', 10_000_000_000]) {
      assertRefused(await calls.preparePart(index), 400);
      assertRefused(await calls.recordPart(index, { etag: 'e', size: CHUNK }), 400);
    }
  });

  test('without an ETag or of another length is not recorded', async () => {
    const calls = await openSent('record', []);
    for (const part of [
      {},
      { etag: '', size: CHUNK },
      { etag: '   ', size: CHUNK },
      { etag: 'e' },
      { size: CHUNK },
      { etag: 'e', size: CHUNK - 1 },
      { etag: 'e', size: CHUNK + 1 },
      { etag: 'e', size: String(CHUNK) },
      { etag: 5, size: CHUNK },
      { etag: 'e'.repeat(300), size: CHUNK },
    ]) {
      assertRefused(await calls.recordPart(0, part), 400);
    }
    assert.equal(ok(await calls.get()).status, 'CREATED');
  });

  test('of another length is rejected by the store', async () => {
    const calls = await openSent('length', []);
    const { uploadUrl, method, headers } = ok(await calls.preparePart(1));
    for (const size of [999, 1_001]) {
      const response = await fetch(uploadUrl, { method, headers, body: new Uint8Array(size) });
      assert.equal(response.status, 403);
    }
  });

  test("that is missing, or whose ETag is not the store's, leaves the session open", async () => {
    const calls = await openSent('missing', [1]);
    const refused = await calls.complete();
    assertRefused(refused, 400);
    assert.match(refused.msg, /part 0/);
    ok(await calls.recordPart(0, { etag: 'f'.repeat(32), size: CHUNK }));
    assertRefused(await calls.complete(), 400);
    assert.equal(ok(await calls.get()).status, 'UPLOADING');
    await calls.putPart(0, partOf(0));
    ok(await calls.complete());
  });

  test('is rejected once the session has ended', inFull, async () => {
    const calls = await openSent('ended');
    const target = ok(await calls.preparePart(0));
    ok(await calls.complete());
    assertRefused(await calls.preparePart(0), 400);
    assertRefused(await calls.recordPart(0, { etag: 'e', size: CHUNK }), 400);
    assertRefused(await calls.cancel(), 400);
    const { uploadUrl, method, headers } = target;
    const late = await fetch(uploadUrl, { method, headers, body: randomBytes(CHUNK) });
    assert.equal(late.status, 404);
    const { fileId } = ok(await calls.get());
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
  });

  test('is rejected by a session of another mode', async () => {
    const calls = await openSent('mode', []);
    assertRefused(await calls.prepare(), 400);
    assertRefused(await calls.send('bytes'), 400);
  });
});

describe('a session that ends without a file', () => {
  test('leaves nothing in the store', async () => {
    const stored = await listStoredFiles(holdall);
    const [cancelled, expired] = [await openSent('cancelled', [0]), await openSent('expired', [0, 1])];
    assert.equal((await listStoredFiles(holdall)).length, stored.length + 2);
    assert.equal(ok(await cancelled.cancel()).status, 'CANCELLED');
    assert.equal((await listStoredFiles(holdall)).length, stored.length + 1);
    assertRefused(await cancelled.complete(), 400);
    assertRefused(await cancelled.preparePart(0), 400);
    holdall.clock.advance(25 * HOUR);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.equal(ok(await expired.get()).status, 'EXPIRED');
    // The open sessions of earlier tests also expire.
    const left = await listStoredFiles(holdall);
    assert.deepEqual(
      left.filter((name) => !stored.includes(name)),
      [],
    );
    assert.ok(left.every((name) => !name.includes('(upload')));
  });
});

describe('a crash between the store and the database', () => {
  /**
   * Completes a session up to the point at which the store has joined the parts, as if the process had
   * crashed there.
   */
  async function dieAfterJoining(filename: string): Promise<SessionCalls> {
    const calls = await openSent(filename);
    const { database, store } = holdall.app;
    const row = await database.db
      .selectFrom('upload_session')
      .selectAll()
      .where('id', '=', calls.id)
      .executeTakeFirstOrThrow();
    const parts = await database.db
      .selectFrom('upload_part')
      .selectAll()
      .where('session_id', '=', calls.id)
      .orderBy('part_index')
      .execute();
    await database.transact((tx) =>
      tx.updateTable('upload_session').set({ status: 'COMPLETING' }).where('id', '=', calls.id).execute(),
    );
    await store.direct?.completeMultipart(
      { key: row.object_key, id: row.upload_id ?? '' },
      parts.map((part) => ({ number: part.part_index + 1, etag: part.etag })),
    );
    return calls;
  }

  test('is repaired by completing again', async () => {
    const calls = await dieAfterJoining('healed');
    assert.equal(ok(await calls.get()).status, 'COMPLETING');
    const { fileId } = ok(await calls.complete());
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
  });

  test('leaves nothing if the session is never completed again', inFull, async () => {
    const stored = await listStoredFiles(holdall);
    await dieAfterJoining('never healed');
    assert.equal((await listStoredFiles(holdall)).length, stored.length + 1);
    holdall.clock.advance(25 * HOUR);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });

  test('leaves nothing if the session is cancelled', inFull, async () => {
    const stored = await listStoredFiles(holdall);
    const calls = await dieAfterJoining('cancelled after joining');
    ok(await calls.cancel());
    assertRefused(await calls.complete(), 400);
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });

  test('before the session was recorded leaves a multipart upload that the sweeper removes', async () => {
    const stored = await listStoredFiles(holdall);
    await holdall.app.store.direct?.beginMultipart('blobs/20260101/0000/nobody');
    assert.equal((await listStoredFiles(holdall)).length, stored.length + 1);
    holdall.clock.advance(2 * HOUR);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });
});

describe('a store that joins the parts while the session is cancelled', () => {
  /** The parts are aborted while the store joins them, so the object appears after its removal. */
  function joinAfter(cancelled: Promise<unknown>, context: TestContext): Promise<void> {
    const { direct } = holdall.app.store;
    assert.ok(direct);
    const join = direct.completeMultipart.bind(direct);
    const joining = Promise.withResolvers<void>();
    context.mock.method(direct, 'abortMultipart', async () => {});
    context.mock.method(direct, 'completeMultipart', async (...upload: Parameters<typeof join>) => {
      joining.resolve();
      await cancelled;
      await join(...upload);
    });
    return joining.promise;
  }

  test('leaves nothing', inFull, async (context) => {
    const stored = await listStoredFiles(holdall);
    const calls = await openSent('joined late');
    const cancelled = Promise.withResolvers<void>();
    const joining = joinAfter(cancelled.promise, context);
    const completed = calls.complete();
    await joining;
    ok(await calls.cancel());
    cancelled.resolve();
    assertRefused(await completed, 400);
    assert.equal(ok(await calls.get()).status, 'CANCELLED');
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });
});

describe('concurrent requests', () => {
  test('that complete one session get the same answer, and create one file', async () => {
    const calls = await openSent('raced');
    const doors = atEveryInstance(alice, [holdall.url, beside.url]);
    const answers = await race(doors, 12, (door) => calls.by(door).complete());
    assert.deepEqual(countStatuses(answers), { 200: 12 });
    assert.equal(new Set(answers.map((answer) => answer.data.fileId)).size, 1);
    assert.equal((await alice.names('/parts')).filter((name) => name === 'raced').length, 1);
  });

  test('that complete and cancel one session have one consistent outcome', inFull, async () => {
    const doors = atEveryInstance(alice, [holdall.url, beside.url]);
    for (let round = 0; round < 4; round += 1) {
      const name = `won-${round}`;
      const calls = await openSent(name);
      const answers = await race(doors, 6, (door, index) =>
        index % 2 === 0 ? calls.by(door).complete() : calls.by(door).cancel(),
      );
      const { status } = ok(await calls.get());
      assert.ok(['COMPLETED', 'CANCELLED'].includes(status), status);
      const isThere = (await alice.names('/parts')).includes(name);
      assert.equal(isThere, status === 'COMPLETED');
      for (const answer of answers) assert.ok([200, 400].includes(answer.status), answer.msg);
    }
  });
});

test('a session whose bytes go to the store directly cannot be continued by tus', async () => {
  const { session, calls } = await openSession(alice, { filename: 'direct', size: 6 });
  const upload = new TusUpload(alice, `${TUS}/${session.sessionId}`);
  for (const answer of [await upload.head(), await upload.patch(0, 'abc')]) assertTus(answer, 400);
  ok(await calls.cancel());
});

test('an announced upload reduces the size of further announcements', async () => {
  const tight = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${bytes.length}` } });
  const bob = await tight.register('bob');
  const { calls } = await openSession(bob, { filename: 'a', size: bytes.length });
  assertRefused(await bob.call('POST', SESSIONS, { body: { filename: 'b', size: 1 } }), 413);
  const uploads = (await listStoredFiles(tight)).filter((name) => name.includes('(upload'));
  assert.equal(uploads.length, 1, 'the rejected sessions left no multipart upload in the store');
  await putTo(ok(await calls.preparePart(1)), partOf(1));
  ok(await calls.cancel());
  await openSession(bob, { filename: 'b', size: 1 });
});
