// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const holdall = await startHoldall({ env: { HOLDALL_OFFLINE_TRANSFER_TTL: '10m' } });
const { anonymous, clock } = holdall;
const bytes = randomBytes(300_000);

const alice = await holdall.register('alice');
const body = {
  mode: 'OFFLINE',
  files: [{ name: 'Ünser.bin', size: bytes.length, contentType: 'text/html' }],
};
const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}`;
const headers = { 'content-type': 'application/octet-stream' };
await alice.ask('POST', `${url}/content`, { body: bytes, headers });

const download = (method = 'GET', sent: Record<string, string> = {}) =>
  anonymous.fetch(method, `${url}/download`, { headers: sent });

test('a download of an OFFLINE file is redirected to the store, with its name and type', async () => {
  const response = await download();
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const address = response.headers.get('location') ?? '';
  assert.ok(!address.startsWith(holdall.url));
  const sent = await fetch(address);
  assert.match(
    sent.headers.get('content-disposition') ?? '',
    /^attachment; filename=.*Unser|^attachment; .*%C3%9Cnser/,
  );
  assert.ok(Buffer.from(await sent.arrayBuffer()).equals(bytes));
  const followed = await fetch(new URL(`${url}/download`, holdall.url), { headers: { range: 'bytes=5-9' } });
  assert.equal(followed.status, 206);
  assert.ok(Buffer.from(await followed.arrayBuffer()).equals(bytes.subarray(5, 10)));
});

test('requests without bytes are answered by the service', async () => {
  const head = await download('HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  const etag = head.headers.get('etag') ?? '';
  assert.equal((await download('GET', { 'if-none-match': etag })).status, 304);
  assert.equal((await download('GET', { range: 'bytes=300000-' })).status, 416);
});

test('the signed URL expires with the session', async () => {
  clock.advance(9 * 60_000);
  const address = new URL((await download()).headers.get('location') ?? '');
  const seconds = Number(address.searchParams.get('X-Amz-Expires'));
  assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
});

test('without signed URLs the service sends the bytes', async () => {
  await withoutDirect(holdall);
  const response = await download();
  assert.equal(response.status, 200);
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
});
