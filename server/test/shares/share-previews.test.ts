// tier: default
// runs on: sqlite
// needs: build
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareLink, ShareSummary } from '../../src/app/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { readTags } from '../support/http/link-tags.ts';
import { makePng } from '../support/media/pictures.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const file = await alice.upload('/Documents/plans.txt', 'x'.repeat(1_500));

const share = (options: object = {}) =>
  alice.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id, ...options } });

test('the page of a share tells programs that preview links its name, size and owner, escaped', async () => {
  const { token } = await share({ shareName: 'Trip & <b>"home"' });
  const tags = await readTags(holdall, `/s/${token}`);
  assert.equal(tags.get('og:title'), 'Trip &amp; &lt;b&gt;&quot;home&quot;');
  assert.equal(tags.get('og:description'), `1.5 kB, shared by ${alice.username}`);
  const { viewCount } = await alice.ask<ShareSummary>('GET', `/api/v2/shares/${token}`);
  assert.equal(viewCount, 0);
});

test('the page of a shared picture names its thumbnail', async () => {
  const picture = await alice.upload('/Documents/lake.png', makePng(40, 30), 'image/png');
  const { token } = await alice.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: picture.id } });
  const address = (await readTags(holdall, `/s/${token}`)).get('og:image')?.replaceAll('&amp;', '&') ?? '';
  assert(address.startsWith(holdall.url), address);
  const response = await fetch(address);
  assert.equal(response.headers.get('content-type'), 'image/webp');
  await response.arrayBuffer();
});

test('the page of a legacy link to a folder says that it links to a folder', async () => {
  const folder = await alice.mkdir('/Documents/Holiday');
  const { token } = await alice.ask<ShareLink>('POST', `/api/files/${folder.id}/share-links`);
  const tags = await readTags(holdall, `/l/${token}`);
  assert.deepEqual(
    [tags.get('og:title'), tags.get('og:description')],
    ['Holiday', `Folder, shared by ${alice.username}`],
  );
});

test('pages reveal nothing about unknown, expired, used-up or password-protected shares', async () => {
  const hidden = await share({ password: 'secret words' });
  const used = await share({ maxDownloads: 1 });
  await (await fetch(new URL(`/api/v2/shares/${used.token}?download`, holdall.url))).arrayBuffer();
  const expiring = await share({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
  holdall.clock.advance(120_000);
  const addresses = [
    ...[hidden, used, expiring].map(({ token }) => `/s/${token}`),
    ...['/s/', '/s/x', `/s/${'x'.repeat(5_000)}`, `/l/${hidden.token}`, '/drive/x'],
  ];
  for (const address of addresses) assert.equal((await readTags(holdall, address)).size, 0, address);
});
