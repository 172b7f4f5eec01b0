// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { TransferRecord } from '../../src/transfer/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { toldTo } from '../support/notifications/told.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { waitFor } from '../support/tasks/tasks.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const FILES = [
  { name: 'letter.txt', size: 9 },
  { name: 'empty', size: 0 },
];
const CONTENTS = ['Dear Bob,', ''];

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
await withoutDirect(holdall);
const second = isPostgres ? await startHoldall({ beside: holdall }) : holdall;
const { anonymous } = holdall;
const strangers = [holdall, second].map(({ url }) => new Person('stranger', url));

afterEach(() => checkBooks(holdall));

async function openReady(announced: object = { files: FILES }) {
  const sender = await holdall.register('sender');
  const made = await sender.ask<PeerSession>('POST', TRANSFERS, { body: { mode: 'OFFLINE', ...announced } });
  for (const [index, { size = 0 }] of made.files.entries()) {
    const content = CONTENTS[index]?.length === size ? CONTENTS[index] : 'x'.repeat(size);
    const headers = { 'content-type': 'application/octet-stream' };
    await sender.ask('POST', `${urlOf(made, index)}/content`, { body: content, headers });
  }
  return { sender, made };
}

const urlOf = ({ sessionId, files }: TransferRecord, index: number) =>
  `${TRANSFERS}/${sessionId}/files/${files[index]?.id}`;

async function fetchFile(
  made: TransferRecord,
  index: number,
  { by = anonymous, method = 'GET', range }: { by?: Person; method?: string; range?: string } = {},
): Promise<number> {
  const headers = range === undefined ? {} : { range };
  const response = await by.fetch(method, `${urlOf(made, index)}/download`, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** The fetch is noted after the response was sent. */
const waitUntilFetched = (made: TransferRecord, index: number) =>
  waitFor(
    async () => {
      const { db } = holdall.app.database;
      const id = made.files[index]?.id ?? '';
      const file = db.selectFrom('transfer_file').select('is_fetched').where('id', '=', id);
      return (await file.executeTakeFirst())?.is_fetched;
    },
    (isFetched) => isFetched === 1,
    'the file to be noted as fetched',
  );

const waitUntilTold = (sender: Person) =>
  waitFor(
    () => toldTo(holdall, sender, 'TRANSFER_FETCHED'),
    (told) => told.length > 0,
    'the notification',
  );

describe('the sender of an OFFLINE transfer', () => {
  test('is told once, when every file was sent to its end', async () => {
    const { sender, made } = await openReady();
    assert.equal(await fetchFile(made, 1), 200);
    await waitUntilFetched(made, 1);
    assert.equal(await fetchFile(made, 0, { method: 'HEAD' }), 200);
    assert.equal(await fetchFile(made, 0, { range: 'bytes=0-7' }), 206);
    assert.equal(await fetchFile(made, 0, { range: 'bytes=20-' }), 416);
    assert.equal(await fetchFile(made, 1), 200);
    assert.deepEqual(await toldTo(holdall, sender, 'TRANSFER_FETCHED'), []);

    assert.equal(await fetchFile(made, 0, { range: 'bytes=8-' }), 206);
    assert.deepEqual(await waitUntilTold(sender), [{ files: 2, fileName: 'letter.txt' }]);
    for (const index of [0, 1]) assert.equal(await fetchFile(made, index), 200);
    assert.equal((await toldTo(holdall, sender, 'TRANSFER_FETCHED')).length, 1);
  });

  test('is told once about many simultaneous receivers', async () => {
    const { sender, made } = await openReady();
    const statuses = await race(strangers, 20, (by, index) => fetchFile(made, index % 2, { by }));
    assert.deepEqual(new Set(statuses), new Set([200]));
    await waitUntilTold(sender);
    await Promise.all([
      holdall.app.transfers.fetches.noteAll({ ...made, by: undefined }),
      second.app.transfers.fetches.noteAll({ ...made, by: undefined }),
    ]);
    assert.equal((await toldTo(holdall, sender, 'TRANSFER_FETCHED')).length, 1);
  });

  test('is told when all files were sent in one archive', async () => {
    const { sender, made } = await openReady();
    const url = `/api/v2/transfer/sessions/${made.sessionId}/download`;
    const head = await anonymous.fetch('HEAD', url);
    assert.equal(head.status, 200);
    const archive = await anonymous.fetch('GET', url);
    assert.equal(archive.status, 200);
    await archive.arrayBuffer();
    assert.deepEqual(await waitUntilTold(sender), [{ files: 2, fileName: 'letter.txt' }]);
  });

  test('is told when a receiver has imported all files', async () => {
    const { sender, made } = await openReady();
    const bob = await holdall.register('bob');
    for (const index of [0, 1]) {
      assert.deepEqual(await toldTo(holdall, sender, 'TRANSFER_FETCHED'), []);
      await bob.ask('POST', `${urlOf(made, index)}/import`, { body: { path: '/' } });
    }
    assert.equal((await toldTo(holdall, sender, 'TRANSFER_FETCHED')).length, 1);
  });

  test('is not told about fetching the files itself', async () => {
    const { sender, made } = await openReady();
    const archive = await sender.fetch('GET', `/api/v2/transfer/sessions/${made.sessionId}/download`);
    await archive.arrayBuffer();
    for (const index of [0, 1]) {
      assert.equal(await fetchFile(made, index, { by: sender }), 200);
      await sender.ask('POST', `${urlOf(made, index)}/import`, { body: { path: '/' } });
    }
    await holdall.app.transfers.fetches.noteAll({ ...made, by: sender.id });
    assert.equal(await fetchFile(made, 1), 200);
    await waitUntilFetched(made, 1);
    // The sender's own downloads would have been noted before that one.
    const { db } = holdall.app.database;
    const files = db
      .selectFrom('transfer_file')
      .select('is_fetched')
      .where('session_id', '=', made.sessionId);
    const noted = (await files.orderBy('position').execute()).map(({ is_fetched }) => is_fetched);
    assert.deepEqual(noted, [0, 1]);
    assert.deepEqual(await toldTo(holdall, sender, 'TRANSFER_FETCHED'), []);
    assert.equal(await fetchFile(made, 0), 200);
    assert.equal((await waitUntilTold(sender)).length, 1);
  });

  test('is not told the placeholder for an encrypted name', async () => {
    const files = [{ name: 'file-0', encryptedName: 'x'.repeat(40), size: 17 }];
    const { sender, made } = await openReady({ files, encrypted: true, salt: `${'s'.repeat(21)}A` });
    assert.equal(await fetchFile(made, 0), 200);
    assert.deepEqual(await waitUntilTold(sender), [{ files: 1, fileName: '' }]);
  });

  test('is told nothing about a transfer that has ended', async () => {
    const { sender, made } = await openReady();
    await sender.ask('DELETE', `${TRANSFERS}/${made.sessionId}`);
    await holdall.app.transfers.fetches.noteAll({ ...made, by: undefined });
    assert.deepEqual(await toldTo(holdall, sender, 'TRANSFER_FETCHED'), []);
  });
});
