// tier: default
// runs on: sqlite
// needs: build
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareSummary } from '../../src/app/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { readTags } from '../support/http/link-tags.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();

const readPage = async () => {
  const response = await fetch(new URL('/login', holdall.url), { headers: { accept: 'text/html' } });
  return response.text();
};

test('the page has the name of the instance before any script runs, escaped', async () => {
  assert.match(await readPage(), /<title>Holdall<\/title>/);
  await admin.ask('PATCH', '/api/admin/settings/instance', {
    body: { name: 'Us & <b>$&</b>', greeting: '"Hello" </head>' },
  });
  const page = await readPage();
  assert.match(page, /<title>Us &amp; &lt;b&gt;\$&amp;&lt;\/b&gt;<\/title>/);
  assert.match(page, /<meta name="instance" content="\{&quot;name&quot;:&quot;Us &amp; &lt;b&gt;/);
  assert.equal(page.match(/<\/head>/g)?.length, 1);
});

test('previews of links name the instance', async () => {
  await admin.ask('PATCH', '/api/admin/settings/instance', { body: { name: 'Meyer family' } });
  const file = await admin.upload('/Documents/plan.txt', 'plan');
  const { token } = await admin.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id } });
  assert.equal((await readTags(holdall, `/s/${token}`)).get('og:site_name'), 'Meyer family');
});
