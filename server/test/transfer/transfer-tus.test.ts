// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// The files of stored transfers, uploaded in pieces.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { lookUp, type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';
import { askTus, assertTus, countLeft, metadataOf, PIECE, TUS, TusUpload } from '../support/uploads/tus.ts';

const QUOTA = 50_000_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}` } });
const { clock } = holdall;
let alice: Person;
let bob: Person;

before(async () => {
  [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
});
afterEach(() => checkBooks(holdall));

const open = (sizes: readonly number[], person = alice) => {
  const files = sizes.map((size, index) => ({ name: `file ${index}`, size }));
  return person.ask<PeerSession>('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
};
const tusOf = ({ sessionId, files }: PeerSession, index = 0) =>
  `/api/v2/transfer/sessions/${sessionId}/files/${files[index]?.id}/tus`;
const headersFor = (size: number) => ({
  'upload-length': `${size}`,
  'upload-metadata': metadataOf({ filename: 'any' }),
});
const begin = async (made: PeerSession, index = 0, person = alice) => {
  const headers = headersFor(made.files[index]?.size ?? 0);
  const answer = await askTus(person, 'POST', tusOf(made, index), { headers });
  assertTus(answer, 201);
  return new TusUpload(person, answer.headers.get('location') ?? '');
};
const statusOf = async ({ pickupCode }: PeerSession) =>
  (await lookUp(holdall.anonymous, pickupCode)).data.status;
const download = async ({ sessionId, files }: PeerSession, index = 0) => {
  const url = `${TRANSFERS}/${sessionId}/files/${files[index]?.id}/download`;
  const response = await fetch(new URL(url, holdall.url));
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};

/** Sends what the service does not have yet. */
async function continueAt(upload: TusUpload, bytes: Buffer) {
  const offset = await upload.offset();
  assert.ok(offset < bytes.length);
  return await upload.patch(offset, bytes.subarray(offset));
}

describe('a file of a stored transfer', () => {
  test('can be sent in pieces, and is complete with the last of them', async () => {
    const bytes = randomBytes(6_000_000);
    const made = await open([bytes.length, 5]);
    const upload = await begin(made);
    assert.ok(upload.path.startsWith(`${tusOf(made)}/`), upload.path);
    assertTus(await upload.patch(0, bytes.subarray(0, 5_500_000)), 204);
    assert.equal(await upload.offset(), 5_500_000);
    assertTus(await upload.patch(5_500_000, bytes.subarray(5_500_000)), 204);
    assert.equal(await statusOf(made), 'UPLOADING');
    const other = await begin(made, 1);
    assertTus(await other.patch(0, 'bytes'), 204);
    assert.equal(await statusOf(made), 'READY');
    assert.deepEqual(await download(made), bytes);
    assert.equal((await download(made, 1)).toString(), 'bytes');
    // A client that did not get the last answer asks again.
    assert.equal(await other.offset(), 5);
    assertTus(await askTus(alice, 'POST', tusOf(made), { headers: headersFor(bytes.length) }), 400);
    assert.deepEqual(await alice.names('/'), await bob.names('/'), 'nothing is in the drive');
  });

  test('continues where the connection broke', async () => {
    const bytes = randomBytes(400_000);
    const made = await open([bytes.length]);
    const upload = await begin(made);
    const headers = { 'tus-resumable': '1.0.0', 'content-type': PIECE, 'upload-offset': '0' };
    const line = `PATCH ${upload.path}`;
    const held = await PausedUpload.start(alice, { line, name: '', bytes, encoding: 'raw', headers });
    await held.cut();
    let answer = await continueAt(upload, bytes);
    // The service may notice the broken request only after the new one has begun. Clients then ask for the
    // offset and continue.
    while (answer.status === 423) answer = await continueAt(upload, bytes);
    assertTus(answer, 204);
    assert.deepEqual(await download(made), bytes);
  });

  test('must have the announced size and come from the sender', async () => {
    const made = await open([5]);
    for (const size of [0, 4, 6]) {
      assertTus(await askTus(alice, 'POST', tusOf(made), { headers: headersFor(size) }), 400);
    }
    const headers = headersFor(5);
    assertTus(await askTus(bob, 'POST', tusOf(made), { headers }), 403);
    assertTus(await askTus(holdall.anonymous, 'POST', tusOf(made), { headers }), 401);
    const upload = await begin(made);
    assertTus(await upload.by(bob).patch(0, 'bytes'), 403);
    assertTus(await upload.by(bob).head(), 403);
    const [other, online] = [await open([5]), { mode: 'ONLINE', files: [{ name: 'a', size: 5 }] }];
    const elsewhere = new TusUpload(alice, `${tusOf(other)}/${upload.id}`);
    assertTus(await elsewhere.patch(0, 'bytes'), 404);
    const direct = await alice.ask<PeerSession>('POST', TRANSFERS, { body: online });
    assertTus(await askTus(alice, 'POST', tusOf(direct), { headers }), 400);
    assertTus(await upload.patch(0, 'bytes'), 204);
  });

  test('never becomes a file of the drive', async () => {
    const made = await open([5]);
    const upload = await begin(made);
    const session = `/api/v2/files/upload-sessions/${upload.id}`;
    await alice.refused(404, 2404, 'GET', session);
    await alice.refused(404, 2404, 'POST', `${session}/complete`);
    await alice.refused(404, 2404, 'DELETE', session);
    assertTus(await new TusUpload(alice, `${TUS}/${upload.id}`).patch(0, 'bytes'), 404);
    const own = await TusUpload.create(alice, 'own.txt', 5);
    assertTus(await new TusUpload(alice, `${tusOf(made)}/${own.id}`).patch(0, 'bytes'), 404);
    assertTus(await own.end(), 204);
    assertTus(await upload.end(), 204);
    assertTus(await upload.patch(0, 'bytes'), 410);
  });

  test('can be sent again, in one request or in pieces, until the transfer is ready', async () => {
    const made = await open([5, 1]);
    const [first, second] = [await begin(made), await begin(made)];
    assertTus(await first.patch(0, 'first'), 204);
    assertTus(await second.patch(0, 'again'), 204);
    const late = await begin(made);
    const headers = { 'content-type': 'application/octet-stream' };
    await alice.ask('POST', `${TRANSFERS}/${made.sessionId}/files/${made.files[1]?.id}/content`, {
      body: 'x',
      headers,
    });
    assert.equal(await statusOf(made), 'READY');
    assertTus(await late.patch(0, 'later'), 400);
    assert.equal((await download(made)).toString(), 'again');
    await holdall.app.cleanUp();
    assertTus(await late.head(), 410);
  });

  test('counts against the quota of the sender while it arrives, and not afterwards', async () => {
    const carol = await holdall.register('carol');
    const made = await open([4_000_000], carol);
    const upload = await begin(made, 0, carol);
    const free = QUOTA - 4_000_000;
    const headers = headersFor(free + 1);
    assertTus(await askTus(carol, 'POST', TUS, { headers }), 413);
    assertTus(await upload.patch(0, randomBytes(4_000_000)), 204);
    assert.equal(await carol.usedBytes(), 0);
    const own = await TusUpload.create(carol, 'own', free + 1);
    assertTus(await own.end(), 204);
  });

  test('may be empty, and may be sent with the first request', async () => {
    const made = await open([0, 3]);
    assertTus(await askTus(alice, 'POST', tusOf(made), { headers: headersFor(0) }), 201);
    const headers = { ...headersFor(3), 'content-type': PIECE };
    assertTus(await askTus(alice, 'POST', tusOf(made, 1), { headers, body: 'abc' }), 201);
    assert.equal(await statusOf(made), 'READY');
    assert.equal((await download(made, 1)).toString(), 'abc');
  });
});

describe('an unfinished upload', () => {
  test('ends with its transfer, which frees its bytes at once', async () => {
    const dora = await holdall.register('dora');
    const made = await open([1_000_000], dora);
    const upload = await begin(made, 0, dora);
    assertTus(await upload.patch(0, randomBytes(600_000)), 204);
    const before = await countLeft(holdall);
    await dora.ask('DELETE', `${TRANSFERS}/${made.sessionId}`);
    const after = await countLeft(holdall);
    assert.deepEqual([after.open, after.partial], [before.open - 1, before.partial - 1]);
    assertTus(await upload.patch(600_000, randomBytes(400_000)), 404);
    const own = await TusUpload.create(dora, 'own', QUOTA);
    assertTus(await own.end(), 204);
  });

  test('ends with the next clean-up if its transfer has expired', async () => {
    const erin = await holdall.register('erin');
    const made = await open([10], erin);
    assertTus(await (await begin(made, 0, erin)).patch(0, 'abc'), 204);
    const { open: before } = await countLeft(holdall);
    const admin = await holdall.admin();
    await admin.ask('PATCH', `/api/admin/users/${erin.id}/status`, { body: { banned: true } });
    await holdall.app.cleanUp();
    assert.equal((await countLeft(holdall)).open, before - 1);
  });

  test('stays open for as long as bytes arrive, for more than a day, and so does its transfer', async () => {
    const frank = await holdall.register('frank');
    const [made, idle] = [await open([40], frank), await open([40], frank)];
    const upload = await begin(made, 0, frank);
    await begin(idle, 0, frank);
    for (let sent = 0; sent < 30; sent += 1) {
      assertTus(await upload.patch(sent, 'x'), 204);
      clock.advance(HOUR + MINUTE);
      await frank.logIn();
      if (sent % 5 === 0) await holdall.app.cleanUp();
    }
    await holdall.app.cleanUp();
    assert.equal(await statusOf(made), 'UPLOADING');
    assert.equal((await lookUp(holdall.anonymous, idle.pickupCode)).status, 404);
    assertTus(await upload.patch(30, 'y'.repeat(10)), 204);
    assert.equal((await download(made)).toString(), 'x'.repeat(30) + 'y'.repeat(10));
    const stopped = await open([40], frank);
    const still = await begin(stopped, 0, frank);
    assertTus(await still.patch(0, 'x'), 204);
    clock.advance(DAY);
    await frank.logIn();
    assertTus(await still.patch(1, 'x'), 410);
    await Promise.all([alice.logIn(), bob.logIn()]);
  });
});
