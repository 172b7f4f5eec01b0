// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';

const SHARES = '/api/v2/shares';

const holdall = await startHoldall();
const bytes = randomBytes(300_000);
let alice: Person;
let file: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  file = await alice.upload('/shared.bin', bytes);
});

const share = (options: object) =>
  alice.ask<ShareSummary>('POST', SHARES, { body: { fileId: file.id, ...options } });
const fetchShare = ({ token }: ShareSummary, headers: Record<string, string> = {}) =>
  holdall.anonymous.fetch('GET', `${SHARES}/${token}?download`, { headers });
const count = async ({ token }: ShareSummary) =>
  (await alice.ask<ShareSummary>('GET', `${SHARES}/${token}`)).downloadCount;

test('a share without a budget redirects downloads to the store, and counts them', async () => {
  const unlimited = await share({});
  const response = await fetchShare(unlimited);
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const url = response.headers.get('location') ?? '';
  assert.ok(!url.startsWith(holdall.url));
  const sent = await fetch(url);
  assert.match(sent.headers.get('content-disposition') ?? '', /^attachment; filename="shared.bin"/);
  assert.ok(Buffer.from(await sent.arrayBuffer()).equals(bytes));
  assert.equal(await count(unlimited), 1);
});

test('a share with a budget sends the bytes itself, because a signed URL could be used twice', async () => {
  const limited = await share({ maxDownloads: 2 });
  const response = await fetchShare(limited);
  assert.equal(response.status, 200);
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
  const part = await fetchShare(limited, { range: 'bytes=5-9' });
  assert.equal(part.status, 206);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5, 10)));
  assert.equal((await fetchShare(limited)).status, 410);
  assert.equal(await count(limited), 2);
});

test('a signed URL expires with the share', async () => {
  const short = await share({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
  const url = new URL((await fetchShare(short)).headers.get('location') ?? '');
  const seconds = Number(url.searchParams.get('X-Amz-Expires'));
  assert.ok(seconds > 50 && seconds <= 60, `${seconds}`);
});
