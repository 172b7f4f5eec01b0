// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// All files of a stored transfer as one ZIP.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { openOnline, type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';
import { readBack } from '../support/zip/zip-reading.ts';

const FILES = [
  { name: 'a.txt', content: 'first' },
  { name: 'b.txt', relativePath: 'trip/b.txt', content: 'second' },
  { name: 'A.TXT', content: '' },
  { name: 'film.bin', relativePath: 'trip/day 1', content: 'x'.repeat(300_000) },
];

const holdall = await startHoldall();
const { anonymous, clock } = holdall;
const alice = await holdall.register('alice');

afterEach(() => checkBooks(holdall));

const urlOf = (sessionId: string) => `/api/v2/transfer/sessions/${sessionId}/download`;

function announce(): Promise<PeerSession> {
  const files = FILES.map(({ content, ...file }) => ({ ...file, size: content.length }));
  return alice.ask('POST', TRANSFERS, { body: { mode: 'OFFLINE', files } });
}

async function store(): Promise<PeerSession> {
  const made = await announce();
  for (const [index, { content }] of FILES.entries()) {
    const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[index]?.id}/content`;
    const headers = { 'content-type': 'application/octet-stream' };
    await alice.ask('POST', url, { body: content, headers });
  }
  return made;
}

async function download(sessionId: string, headers: Record<string, string> = {}) {
  const response = await anonymous.fetch('GET', urlOf(sessionId), { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('anyone with the session gets all files in their directories, whole or in ranges', async () => {
  const { sessionId } = await store();
  const { response, bytes } = await download(sessionId.toUpperCase());
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  assert.match(response.headers.get('content-disposition') ?? '', /Transfer\.zip/);
  assert.equal(Number(response.headers.get('content-length')), bytes.length);
  const found = await readBack(bytes);
  assert.deepEqual(
    found.map(({ entry, bytes: content }) => [entry.fileName, `${content}`]),
    [
      ['a.txt', 'first'],
      ['trip/b.txt', 'second'],
      ['A (2).TXT', ''],
      ['trip/day 1/film.bin', 'x'.repeat(300_000)],
    ],
  );
  const etag = response.headers.get('etag') ?? '';
  const middle = Math.floor(bytes.length / 2);
  const rest = await download(sessionId, { range: `bytes=${middle}-`, 'if-range': etag });
  assert.equal(rest.response.status, 206);
  assert.deepEqual(Buffer.concat([bytes.subarray(0, middle), rest.bytes]), bytes);
  const head = await anonymous.fetch('HEAD', urlOf(sessionId));
  assert.deepEqual(
    [head.status, Number(head.headers.get('content-length')), head.headers.get('etag')],
    [200, bytes.length, etag],
  );
});

test('there is no archive before all files have arrived, after the end, or of other sessions', async () => {
  const made = await announce();
  await anonymous.refused(400, 2400, 'GET', urlOf(made.sessionId));
  const online = await openOnline(anonymous);
  await anonymous.refused(400, 2400, 'GET', urlOf(online.sessionId));
  await anonymous.refused(404, 2404, 'GET', urlOf(randomUUID()));
  await anonymous.refused(400, 2400, 'GET', urlOf('x'));
  const stored = await store();
  clock.advance(8 * 86_400_000);
  await anonymous.refused(404, 2404, 'GET', urlOf(stored.sessionId));
  await alice.logIn();
});

test('the service cannot archive what it cannot read: encrypted files', async () => {
  const body = {
    mode: 'OFFLINE',
    encrypted: true,
    salt: 'A'.repeat(22),
    files: [{ name: 'file-0', size: 17, encryptedName: 'A'.repeat(40) }],
  };
  const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
  const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}/content`;
  const headers = { 'content-type': 'application/octet-stream' };
  await alice.ask('POST', url, { body: 'x'.repeat(17), headers });
  await anonymous.refused(400, 2400, 'GET', urlOf(made.sessionId));
});
