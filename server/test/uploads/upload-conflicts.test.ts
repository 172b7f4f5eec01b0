// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { FileVersion } from '../../src/drive/versions/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { readChanges } from '../support/events/changes.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { askTus, PIECE } from '../support/uploads/tus.ts';
import { assertRefused, ok, openSession } from '../support/uploads/upload-session.ts';

const QUOTA = 1_000_000;
const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` } });
let alice: Person;

before(async () => {
  await withoutDirect(holdall);
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

const NEW_VERSION = { onConflict: 'NEW_VERSION' } as const;

const countVersions = async ({ id }: { id: number }) =>
  (await alice.ask<readonly FileVersion[]>('GET', `/api/v2/files/${id}/versions`)).length;

/** Uploads a file in a form with a rule. */
function uploadForm(path: string, content: string, rule: string) {
  const form = formOf(path, content);
  form.set('onConflict', rule);
  return alice.call<EntryRecord>('POST', '/api/files/upload', { body: form });
}

describe('an upload in one request whose name is taken', () => {
  test('gives the file the new content, and keeps its id, its shares and the old content', async () => {
    const file = await alice.upload('/form/a.txt', 'old');
    const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    const used = await alice.usedBytes();
    const record = ok(await uploadForm('/form/a.txt', 'the new', 'NEW_VERSION'));
    assert.deepEqual([record.id, record.size], [file.id, 7]);
    assert.equal((await alice.download(file)).toString(), 'the new');
    assert.equal(await countVersions(file), 1);
    assert.equal(await alice.usedBytes(), used + 4);
    assert.equal(
      await (await alice.fetch('GET', `/api/v2/shares/${share.token}?download=1`)).text(),
      'the new',
    );
    assert.deepEqual((await alice.bin()).items, []);
  });

  test('creates the file if the name is free, together with its directories', async () => {
    const record = ok(await uploadForm('/form/deep/er/b.txt', 'new', 'NEW_VERSION'));
    assert.equal(record.path, '/form/deep/er/b.txt');
    assert.equal(await countVersions(record), 0);
  });

  test('records UPDATED for a new version, and CREATED for a new file', async () => {
    const { nextCursor } = await readChanges(alice, { limit: 1_000 });
    ok(await uploadForm('/events.txt', 'one', 'NEW_VERSION'));
    ok(await uploadForm('/events.txt', 'two', 'NEW_VERSION'));
    const { items } = await readChanges(alice, { cursor: nextCursor });
    assert.deepEqual(
      items.map(({ eventType }) => eventType),
      ['CREATED', 'UPDATED'],
    );
  });

  test('is rejected for a directory, for a file among the parents, and with another rule', async () => {
    await alice.upload('/form/file', 'x');
    assertRefused(await uploadForm('/form', 'x', 'NEW_VERSION'), 409, 1003);
    assertRefused(await uploadForm('/form/file/below', 'x', 'NEW_VERSION'), 409, 1003);
    assertRefused(await uploadForm('/form/file', 'x', 'FAIL'), 409, 1003);
    assertRefused(await uploadForm('/form/file', 'x', ''), 409, 1003);
    assertRefused(await uploadForm('/form/file', 'x', 'REPLACE'), 400, 1000);
    assert.equal(await countVersions(await alice.upload('/form/other', 'x')), 0);
  });

  test('can have the rule in the query', async () => {
    const file = await alice.upload('/query.txt', 'old');
    const body = formOf('/query.txt', 'new');
    const query = '?onConflict=NEW_VERSION';
    const { id } = await alice.ask<EntryRecord>('POST', `/api/files/upload${query}`, { body });
    assert.equal(id, file.id);
  });
});

describe('an upload of the bytes that the file has already', inFull, () => {
  const path = '/same/a.txt';

  test('leaves the file unchanged, in a form and in a session', async () => {
    const file = await alice.upload(path, 'same');
    const used = await alice.usedBytes();
    const { nextCursor } = await readChanges(alice, { limit: 1_000 });
    holdall.clock.advance(10_000);
    assert.deepEqual(ok(await uploadForm(path, 'same', 'NEW_VERSION')), file);
    assert.equal(await sendInSession('same'), file.id);
    assert.deepEqual((await alice.list('/same')).items, [file]);
    assert.equal(await countVersions(file), 0);
    assert.equal(await alice.usedBytes(), used);
    assert.deepEqual((await readChanges(alice, { cursor: nextCursor })).items, []);
  });

  test('leaves no bytes behind after the next sweep', async () => {
    await alice.upload('/same/objects.txt', 'once');
    await holdall.app.sweeper.sweep(new AbortController().signal);
    const blobs = await countBlobs();
    ok(await uploadForm('/same/objects.txt', 'once', 'NEW_VERSION'));
    assert.equal(await countBlobs(), blobs + 1);
    await holdall.app.sweeper.sweep(new AbortController().signal);
    assert.equal(await countBlobs(), blobs);
  });

  test('makes a version of other bytes with the same length', async () => {
    const file = await alice.upload('/same/other.txt', 'abcd');
    const record = ok(await uploadForm('/same/other.txt', 'abce', 'NEW_VERSION'));
    assert.equal(record.id, file.id);
    assert.equal(await countVersions(file), 1);
  });

  async function countBlobs(): Promise<number> {
    return (await holdall.app.database.db.selectFrom('blob').select('id').execute()).length;
  }

  async function sendInSession(content: string): Promise<number | null> {
    const announced = { path: '/same', filename: 'a.txt', size: content.length, ...NEW_VERSION };
    const { calls } = await openSession(alice, announced);
    ok(await calls.send(Buffer.from(content)));
    return ok(await calls.complete()).fileId;
  }
});

describe('an upload session whose name is taken', () => {
  const announced = (filename: string, size: number) => ({ path: '/sessions', filename, size });

  test('replaces the content only when it is completed', async () => {
    const file = await alice.upload('/sessions/a.bin', 'old');
    const bytes = randomBytes(50_000);
    const { calls } = await openSession(alice, { ...announced('a.bin', bytes.length), ...NEW_VERSION });
    ok(await calls.send(bytes));
    assert.equal((await alice.download(file)).toString(), 'old');
    const used = await alice.usedBytes();
    assert.equal(ok(await calls.complete()).fileId, file.id);
    assert.deepEqual(await alice.download(file), bytes);
    assert.equal(await alice.usedBytes(), used + bytes.length - 3);
    assert.equal(await countVersions(file), 1);
    // Completing again changes nothing more.
    assert.equal(ok(await calls.complete()).fileId, file.id);
    assert.equal(await countVersions(file), 1);
  });

  test('replaces it with the last byte of a resumable upload', async () => {
    const file = await alice.upload('/sessions/tus.txt', 'old');
    const { session } = await openSession(alice, { ...announced('tus.txt', 3), ...NEW_VERSION });
    const answer = await askTus(alice, 'PATCH', `/api/v2/files/tus/${session.sessionId}`, {
      headers: { 'upload-offset': '0', 'content-type': PIECE },
      body: 'new',
    });
    assert.equal(answer.status, 204);
    assert.equal((await alice.download(file)).toString(), 'new');
  });

  test('is rejected at the beginning if the name is a directory, or at completion if it became one', async () => {
    await alice.mkdir('/sessions/folder');
    const body = { ...announced('folder', 3), ...NEW_VERSION };
    assertRefused(await alice.call('POST', '/api/v2/files/upload-sessions', { body }), 409);
    const { calls } = await openSession(alice, { ...announced('later', 3), ...NEW_VERSION });
    ok(await calls.send('new'));
    await alice.mkdir('/sessions/later');
    assertRefused(await calls.complete(), 409);
    ok(await calls.cancel());
  });

  test('follows the rule sent with its completion, so the bytes need not be sent again', async () => {
    const { calls } = await openSession(alice, announced('race.txt', 5));
    ok(await calls.send('mine!'));
    const file = await alice.upload('/sessions/race.txt', 'theirs');
    assertRefused(await calls.complete(), 409);
    assertRefused(await calls.complete({ onConflict: 'REPLACE' }), 400);
    assert.equal(ok(await calls.complete(NEW_VERSION)).fileId, file.id);
    assert.equal((await alice.download(file)).toString(), 'mine!');
    assert.equal(await countVersions(file), 1);
  });

  test('creates the file if the other one has been deleted meanwhile', async () => {
    const file = await alice.upload('/sessions/gone.txt', 'old');
    const { calls } = await openSession(alice, { ...announced('gone.txt', 3), ...NEW_VERSION });
    ok(await calls.send('new'));
    await alice.recycle(file);
    const { fileId } = ok(await calls.complete());
    assert.notEqual(fileId, file.id);
    assert.equal((await alice.download({ id: fileId ?? 0 })).toString(), 'new');
  });

  test('must fit in addition to the old content until it is completed', async () => {
    const bob = await holdall.register('bob');
    await bob.upload('/big.bin', randomBytes(QUOTA - 1_000));
    const body = { filename: 'big.bin', size: 2_000, ...NEW_VERSION };
    assertRefused(await bob.call('POST', '/api/v2/files/upload-sessions', { body }), 413);
  });

  test('becomes one file with the other contents as versions when several race for a free name', async () => {
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => openSession(alice, { ...announced('six.txt', 1), ...NEW_VERSION })),
    );
    for (const [index, { calls }] of opened.entries()) ok(await calls.send(`${index}`));
    const completed = await Promise.all(opened.map(({ calls }) => calls.complete()));
    const ids = new Set(completed.map((answer) => ok(answer).fileId));
    assert.equal(ids.size, 1);
    assert.equal(await countVersions({ id: [...ids][0] ?? 0 }), 5);
  });
});
