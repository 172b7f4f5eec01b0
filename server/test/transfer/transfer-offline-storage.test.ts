// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, MINUTE } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { lookUp, type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const MAX_UPLOAD = 900_000;

const holdall = await startHoldall({
  env: {
    HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '10000000',
    HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: `${MAX_UPLOAD}`,
  },
});
await withoutDirect(holdall);
const { anonymous, clock } = holdall;
const { database, transfers } = holdall.app;

afterEach(() => checkBooks(holdall));

const open = (person: Person, sizes: readonly number[]) => {
  const files = sizes.map((size, index) => ({ name: `file ${index}`, size }));
  return person.ask<PeerSession>('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
};
const contentOf = ({ sessionId, files }: PeerSession, index: number) =>
  `${TRANSFERS}/${sessionId}/files/${files[index]?.id}/content`;
const send = (person: Person, made: PeerSession, index: number) =>
  person.ask('POST', contentOf(made, index), {
    body: 'x',
    headers: { 'content-type': 'application/octet-stream' },
  });
const statusOf = async ({ pickupCode }: PeerSession) => (await lookUp(anonymous, pickupCode)).status;

test('an account may use a tenth of the storage, and others still have their own share', async () => {
  const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
  const first = await open(alice, [300_000, 300_000]);
  await open(alice, [400_000]);
  const body = { mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] };
  await alice.refused(413, 1003, 'POST', TRANSFERS, { body });
  await open(bob, [MAX_UPLOAD]);
  await alice.ask('DELETE', `${TRANSFERS}/${first.sessionId}`);
  await open(alice, [600_000]);
});

test('an account may always send one file of its largest size', async () => {
  const carol = await holdall.register('carol');
  const limit = (bytes: number) =>
    database.transact((tx) => transfers.offlineLimit.setOfflineLimit(tx, bytes));
  await limit(8_000_000);
  const body = { mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] };
  await open(carol, [MAX_UPLOAD]);
  await carol.refused(413, 1003, 'POST', TRANSFERS, { body });
  await limit(10_000_000);
});

test('a session that has expired takes no more of the share of its account', async () => {
  const dave = await holdall.register('dave');
  await open(dave, [MAX_UPLOAD, 100_000]);
  const body = { mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] };
  await dave.refused(413, 1003, 'POST', TRANSFERS, { body });
  clock.advance(8 * DAY);
  await dave.logIn();
  await open(dave, [MAX_UPLOAD]);
});

test('a session that got no file for a day ends with the next clean-up', async () => {
  const alice = await holdall.register('alice');
  const [empty, begun] = [await open(alice, [1, 1]), await open(alice, [1, 1])];
  await send(alice, begun, 0);
  clock.advance(DAY - MINUTE);
  await alice.logIn();
  const young = await open(alice, [1]);
  await holdall.app.cleanUp();
  assert.equal(await statusOf(empty), 200);
  clock.advance(MINUTE);
  await holdall.app.cleanUp();
  assert.deepEqual([await statusOf(empty), await statusOf(begun), await statusOf(young)], [404, 200, 200]);
  await send(alice, begun, 1);
});

test('a session whose first file is still being uploaded after a day does not end', async () => {
  const alice = await holdall.register('alice');
  const made = await open(alice, [MAX_UPLOAD]);
  const line = `POST ${contentOf(made, 0)}`;
  const bytes = new Uint8Array(MAX_UPLOAD);
  const request = await PausedUpload.start(alice, { line, name: 'a', bytes, encoding: 'raw' });
  const reserved = () => database.db.selectFrom('upload_reservation').selectAll().execute();
  await waitUntil('its bytes are reserved', async () => (await reserved()).length > 0);
  clock.advance(DAY);
  // Extends the reservation, as the instance does every few seconds.
  const expires_at = clock.now() + MINUTE;
  await database.transact((tx) => tx.updateTable('upload_reservation').set({ expires_at }).execute());
  // Not the whole clean-up, because the store would treat an upload without bytes for a day as abandoned.
  await transfers.deleteExpired(new AbortController().signal);
  assert.equal(await request.finish(), 200);
  assert.equal(await statusOf(made), 200);
});
