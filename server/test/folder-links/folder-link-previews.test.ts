// tier: default
// runs on: sqlite
// needs: build
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FolderLinkRecord } from '../../src/app/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { readTags } from '../support/http/link-tags.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const directory = await alice.mkdir('/Trip');

const link = (options: object) =>
  alice.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', {
    body: { directoryId: directory.id, ...options },
  });

test('the page of a folder link describes in escaped text what the link offers', async () => {
  const { token } = await link({ mode: 'UPLOAD', title: 'Trip & <b>', note: 'Your "best" ones.' });
  const tags = await readTags(holdall, `/f/${token}`);
  assert.equal(tags.get('og:title'), 'Trip &amp; &lt;b&gt;');
  assert.match(tags.get('og:description') ?? '', /^Send files to .+: Your &quot;best&quot; ones\.$/);
});

test('pages of protected, expired and unknown folder links reveal nothing about them', async () => {
  const hidden = await link({ mode: 'VIEW', password: 'secret words' });
  const expiring = await link({
    mode: 'VIEW',
    expiresAt: new Date(holdall.clock.now() + 60_000).toISOString(),
  });
  holdall.clock.advance(120_000);
  const addresses = [`/f/${hidden.token}`, `/f/${expiring.token}`, '/f/', '/f/x', `/f/${'x'.repeat(5_000)}`];
  for (const address of addresses) assert.equal((await readTags(holdall, address)).size, 0, address);
});
