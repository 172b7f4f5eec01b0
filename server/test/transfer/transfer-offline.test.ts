// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { TransferRecord } from '../../src/transfer/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { CallOptions, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { changePolicy, withoutDirect } from '../support/storage/change-policy.ts';
import {
  lookUp,
  ONE_FILE,
  openOnline,
  type PeerSession,
  TRANSFERS,
  withToken,
} from '../support/transfer/transfer.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FILES = [
  { name: 'letter.txt', size: 9 },
  { name: 'empty', size: 0 },
];
const BYTES = 'Dear Bob,';

let onQuery: (sql: string) => void = () => {};
const holdall = await startHoldall({
  env: { HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '1000' },
  onQuery: ({ sql }) => onQuery(sql),
});
await withoutDirect(holdall);
const { anonymous, clock } = holdall;
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');

afterEach(() => checkBooks(holdall));

const open = (files: object[] = FILES, person = alice) =>
  person.ask<PeerSession>('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
const urlOf = ({ sessionId, files }: TransferRecord, index = 0) =>
  `${TRANSFERS}/${sessionId}/files/${files[index]?.id}`;
const raw = (text: string): CallOptions => ({
  body: text,
  headers: { 'content-type': 'application/octet-stream' },
});
const send = (made: TransferRecord, index: number, text: string, person = alice) =>
  person.ask<TransferRecord>('POST', `${urlOf(made, index)}/content`, raw(text));
async function openReady(person: Person = alice): Promise<PeerSession> {
  const made = await open(FILES, person);
  await send(made, 0, BYTES, person);
  await send(made, 1, '', person);
  return made;
}
async function end(made: PeerSession): Promise<void> {
  await anonymous.ask('DELETE', `${TRANSFERS}/${made.sessionId}`, withToken(made.peerToken));
}
async function download(made: TransferRecord, index = 0, headers: Record<string, string> = {}) {
  const response = await anonymous.fetch('GET', `${urlOf(made, index)}/download`, { headers });
  return { response, text: await response.text() };
}

describe('an OFFLINE session', () => {
  test('is READY once all files are uploaded', async () => {
    const made = await open();
    assert.deepEqual([made.status, made.mode], ['UPLOADING', 'OFFLINE']);
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 7 * DAY);
    const form = new FormData();
    form.set('file', new Blob([BYTES]), 'another name');
    const half = await alice.ask<TransferRecord>('POST', `${urlOf(made)}/content`, { body: form });
    const { peerToken: _, ...announced } = made;
    const [letter, empty] = made.files;
    assert.deepEqual(half, { ...announced, files: [{ ...letter, uploaded: true }, empty] });
    const whole = await send(made, 1, '');
    const files = made.files.map((file) => ({ ...file, uploaded: true }));
    assert.deepEqual(whole, { ...announced, status: 'READY', files });
    const found = await lookUp(anonymous, made.pickupCode);
    assert.deepEqual(found.data, { ...announced, status: 'READY', files });
    await end(made);
  });

  test('cannot be joined, downloaded or imported before it is READY', async () => {
    const made = await open();
    await send(made, 0, BYTES);
    await anonymous.refused(400, 1003, 'POST', `${TRANSFERS}/${made.sessionId}/join`);
    await anonymous.refused(400, 1003, 'GET', `${urlOf(made)}/download`);
    await bob.refused(400, 1003, 'POST', `${urlOf(made)}/import`);
    await end(made);
  });

  test('accepts a file again until it is READY, and nothing after that', async () => {
    const made = await open();
    await send(made, 0, 'Dear Ann,');
    await send(made, 0, BYTES);
    await send(made, 1, '');
    await alice.refused(400, 1003, 'POST', `${urlOf(made)}/content`, raw(BYTES));
    assert.equal((await download(made)).text, BYTES);
    await end(made);
  });

  test('accepts exactly as many bytes as were announced', async () => {
    const made = await open();
    await alice.refused(400, 1000, 'POST', `${urlOf(made)}/content`, raw('short'));
    await alice.refused(413, 1003, 'POST', `${urlOf(made)}/content`, raw(`${BYTES}!`));
    await alice.refused(413, 1003, 'POST', `${urlOf(made, 1)}/content`, raw('x'));
    const { data } = await lookUp(anonymous, made.pickupCode);
    assert.ok(data.files.every(({ uploaded }) => !uploaded));
    await end(made);
  });

  test('becomes READY with the last file, in whatever order the files arrive', async () => {
    const files = Array.from({ length: 5 }, (_, index) => ({ name: `file ${index}`, size: 1 }));
    for (const order of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [2, 4, 0, 3, 1],
    ]) {
      const made = await open(files);
      const statuses: string[] = [];
      for (const index of order) statuses.push((await send(made, index, 'x')).status);
      assert.deepEqual(statuses, ['UPLOADING', 'UPLOADING', 'UPLOADING', 'UPLOADING', 'READY']);
      await end(made);
    }
  });

  test('accepts files from its sender only', async () => {
    const made = await open();
    await bob.refused(403, 1002, 'POST', `${urlOf(made)}/content`, raw(BYTES));
    await anonymous.refused(401, 1001, 'POST', `${urlOf(made)}/content`, raw(BYTES));
    const unknown = `${TRANSFERS}/${made.sessionId}/files/${randomUUID()}/content`;
    await alice.refused(404, 1003, 'POST', unknown, raw(BYTES));
    await end(made);
  });

  test('serves and accepts only its own files', async () => {
    const [ready, unsent] = [await openReady(), await open()];
    const mixed = { ...unsent, files: ready.files };
    await alice.refused(404, 1003, 'POST', `${urlOf(mixed)}/content`, raw(BYTES));
    const other = { ...(await openReady()), files: ready.files };
    await anonymous.refused(404, 1003, 'GET', `${urlOf(other)}/download`);
    await bob.refused(404, 1003, 'POST', `${urlOf(other)}/import`);
    for (const made of [ready, unsent, other]) await end(made);
  });

  test('can be joined and downloaded any number of times, also in ranges', async () => {
    const made = await openReady();
    for (let time = 0; time < 2; time += 1) {
      const joined = await anonymous.ask<PeerSession>('POST', `${TRANSFERS}/${made.sessionId}/join`);
      assert.deepEqual([joined.status, joined.peerToken, joined.files.length], ['READY', undefined, 2]);
      const { response, text } = await download(made);
      assert.deepEqual([response.status, text], [200, BYTES]);
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="letter.txt"/);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    }
    const part = await download(made, 0, { range: 'bytes=5-7' });
    assert.deepEqual([part.response.status, part.text], [206, 'Bob']);
    assert.equal((await download(made, 1)).text, '');
    await end(made);
  });

  test('is listed for its owner while it is live, newest first', async () => {
    const carol = await holdall.register('carol');
    const mine = () => carol.ask<TransferRecord[]>('GET', `${TRANSFERS}/offline/mine`);
    assert.deepEqual(await mine(), []);
    const first = await open(FILES, carol);
    clock.advance(1);
    const second = await openReady(carol);
    await openOnline(carol);
    const listed = await mine();
    assert.deepEqual(
      listed.map(({ sessionId, pickupCode, status }) => [sessionId, pickupCode, status]),
      [
        [second.sessionId, second.pickupCode, 'READY'],
        [first.sessionId, first.pickupCode, 'UPLOADING'],
      ],
    );
    assert.deepEqual(listed[1]?.files, first.files);
    assert.deepEqual(await alice.ask('GET', `${TRANSFERS}/offline/mine`), []);
    await end(first);
    await end(second);
    assert.deepEqual(await mine(), []);
  });

  test('rejects the calls of an ONLINE session, and vice versa', async () => {
    const offline = await open();
    const online = await openOnline(alice);
    const signals = `${TRANSFERS}/${offline.sessionId}/signals?role=sender`;
    await anonymous.refused(400, 1003, 'GET', signals);
    await anonymous.refused(400, 1003, 'POST', signals, { body: { type: 'x' } });
    await alice.refused(400, 1003, 'POST', `${urlOf(online)}/content`, raw('12345'));
    await anonymous.refused(400, 1003, 'GET', `${urlOf(online)}/download`);
    await bob.refused(400, 1003, 'POST', `${urlOf(online)}/import`);
    await end(offline);
  });
});

describe('an import of a file', () => {
  test('shares the object, is charged in full, and outlives the session', async () => {
    const made = await openReady();
    const used = await bob.usedBytes();
    const record = await bob.ask<EntryRecord>('POST', `${urlOf(made)}/import`, {
      body: { path: '/From/Alice' },
    });
    assert.deepEqual(
      [record.path, record.size, record.contentType],
      ['/From/Alice/letter.txt', 9, 'text/plain'],
    );
    assert.equal(await bob.usedBytes(), used + 9);
    const blobs = await holdall.app.database.db
      .selectFrom('blob')
      .select('reference_count')
      .where('size', '=', 9)
      .where('reference_count', '>', 0)
      .execute();
    assert.deepEqual(blobs, [{ reference_count: 2 }]);
    await bob.refused(409, 1003, 'POST', `${urlOf(made)}/import`, { body: { path: '/From/Alice' } });
    await anonymous.refused(401, 1001, 'POST', `${urlOf(made)}/import`);
    await end(made);
    clock.advance(2 * 3_600_000);
    await bob.logIn();
    await holdall.app.cleanUp();
    assert.equal(String(await bob.download(record)), BYTES);
    await alice.logIn();
  });

  test('that exceeds the quota changes nothing', async () => {
    const made = await openReady();
    await holdall.app.database.transact((tx) =>
      tx.updateTable('drive').set({ quota_bytes: 10 }).where('account_id', '=', bob.id).execute(),
    );
    const before = await bob.state();
    await bob.refused(413, 1003, 'POST', `${urlOf(made)}/import`, { body: { path: '/new' } });
    assert.deepEqual(await bob.state(), before);
    await end(made);
  });
});

describe('a file that is too large', () => {
  const body = {
    mode: 'OFFLINE',
    files: [
      { name: 'a', size: 0 },
      { name: 'b', size: 501 },
    ],
  };

  test("is rejected at its announcement, by the sender's upload limit", async () => {
    const limit = (bytes: number) =>
      holdall.app.database.transact((tx) =>
        tx.updateTable('drive').set({ max_upload_bytes: bytes }).where('account_id', '=', alice.id).execute(),
      );
    await limit(500);
    await alice.refused(413, 1003, 'POST', TRANSFERS, { body });
    await end(await bob.ask('POST', TRANSFERS, { body }));
    await limit(501);
    await end(await alice.ask('POST', TRANSFERS, { body }));
    await limit(1024 ** 3);
  });

  test('is rejected at its announcement, by the limit of the storage', async () => {
    await changePolicy(holdall, { max_size_bytes: 500 });
    await alice.refused(413, 1003, 'POST', TRANSFERS, { body });
    await changePolicy(holdall, { max_size_bytes: 501 });
    await end(await alice.ask('POST', TRANSFERS, { body }));
    await changePolicy(holdall, { max_size_bytes: 1024 ** 3 });
  });
});

describe('the offline limit', () => {
  test('can be set, applies at once on every instance, and does not affect live sessions', async () => {
    const { database, transfers } = holdall.app;
    const beside = await startHoldall({ beside: holdall, env: { HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '7' } });
    const otherLimit = beside.app.transfers.offlineLimit;
    assert.equal(await transfers.offlineLimit.getOfflineLimit(database.db), 1_000, 'as configured');
    assert.equal(
      await otherLimit.getOfflineLimit(beside.app.database.db),
      7,
      'as configured on the other instance',
    );
    const big = await open([{ name: 'a', size: 900 }]);
    assert.equal(await transfers.offlineLimit.getOfflineUsage(database.db), 900);
    await database.transact((tx) => transfers.offlineLimit.setOfflineLimit(tx, 300));
    assert.equal(await otherLimit.getOfflineLimit(beside.app.database.db), 300);
    const one = { mode: 'OFFLINE', files: [{ name: 'b', size: 1 }] };
    await alice.refused(413, 1003, 'POST', TRANSFERS, { body: one });
    assert.equal((await lookUp(anonymous, big.pickupCode)).status, 200);
    await database.transact((tx) => transfers.offlineLimit.setOfflineLimit(tx, 901));
    await end(await alice.ask('POST', TRANSFERS, { body: one }));
    await end(big);
    for (const bytes of [-1, 0.5, Number.NaN, 2 ** 53]) {
      await assert.rejects(
        database.transact((tx) => transfers.offlineLimit.setOfflineLimit(tx, bytes)),
        { kind: 'invalid' },
      );
    }
    await database.transact((tx) => transfers.offlineLimit.setOfflineLimit(tx, 1_000));
  });

  test('applies to all sessions together, until they end', async () => {
    const big = await open([{ name: 'a', size: 600 }]);
    const body = { mode: 'OFFLINE', files: [{ name: 'b', size: 401 }] };
    await bob.refused(413, 1003, 'POST', TRANSFERS, { body });
    const fits = await open([{ name: 'b', size: 400 }], bob);
    await alice.refused(413, 1003, 'POST', TRANSFERS, { body: { mode: 'OFFLINE', files: ONE_FILE } });
    await end(big);
    await end(await open([{ name: 'c', size: 600 }]));
    await end(fits);
  });

  test('is available again when a session expires, even before the clean-up', async () => {
    await open([{ name: 'a', size: 1_000 }]);
    clock.advance(7 * DAY);
    await alice.logIn();
    await end(await open([{ name: 'b', size: 1_000 }]));
  });
});

test('after seven days every call answers 404, and the clean-up removes the bytes', async () => {
  const made = await openReady();
  clock.advance(7 * DAY - MINUTE);
  assert.equal((await download(made)).text, BYTES);
  clock.advance(MINUTE);
  await alice.logIn();
  assert.equal((await lookUp(anonymous, made.pickupCode)).status, 404);
  await anonymous.refused(404, 1003, 'GET', `${urlOf(made)}/download`);
  await anonymous.refused(404, 1003, 'POST', `${TRANSFERS}/${made.sessionId}/join`);
  await alice.refused(404, 1003, 'POST', `${urlOf(made)}/import`);
  await alice.refused(404, 1003, 'POST', `${urlOf(made)}/content`, raw(BYTES));
  await holdall.app.cleanUp();
  const { db } = holdall.app.database;
  assert.deepEqual(await db.selectFrom('transfer_session').select('id').execute(), []);
  assert.deepEqual(
    await db
      .selectFrom('blob')
      .select('id')
      .where('kind', '=', 'TRANSFER')
      .where('reference_count', '=', 0)
      .execute(),
    [],
  );
});

describe('a session that expires', () => {
  /** Calls `act` as soon as a request has queried its file. */
  function whenFound(act: () => void): void {
    onQuery = (sql) => {
      if (!/from "?transfer_file/.test(sql)) return;
      onQuery = () => {};
      act();
    };
  }

  afterEach(async () => {
    for (const person of [alice, bob]) await person.logIn();
  });

  test('during an upload keeps nothing of the upload', async () => {
    const made = await open();
    whenFound(() => clock.advance(7 * DAY));
    await alice.refused(404, 1003, 'POST', `${urlOf(made)}/content`, raw(BYTES));
  });

  test('and is deleted during an import does not affect the import', async () => {
    const made = await openReady();
    const carol = await holdall.register('carol');
    let deleting: Promise<void> | undefined;
    whenFound(() => {
      clock.advance(7 * DAY);
      deleting = holdall.app.transfers.deleteExpired(new AbortController().signal);
    });
    const record = await carol.ask<EntryRecord>('POST', `${urlOf(made)}/import`, { body: { path: '/late' } });
    assert.ok(deleting);
    await deleting;
    assert.equal(record.path, '/late/letter.txt');
    await carol.logIn();
    await carol.refused(404, 1003, 'POST', `${urlOf(made)}/import`, { body: { path: '/later' } });
    await holdall.app.cleanUp();
    assert.equal(String(await carol.download(record)), BYTES);
  });
});
