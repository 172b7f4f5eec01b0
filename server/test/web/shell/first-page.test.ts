// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startVisits } from '../../support/web/visits.ts';

const BUILT = path.join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist');
const MAX_BYTES = 225_000;

const { holdall, begin } = await startVisits();

test('the scripts until the first list is shown stay small', async () => {
  const alice = await holdall.register('alice');
  const visit = await begin({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  // What is loaded when the page is idle could come before the list on a busy machine.
  await visit.context.addInitScript('window.requestIdleCallback = () => 0');
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) scripts.add(pathname);
  });
  await visit.logIn(alice, '/drive');
  await page.getByRole('row', { name: 'Documents' }).waitFor();
  const sizes = Array.from(scripts, (script) => {
    return [script, gzipSync(readFileSync(path.join(BUILT, script))).length] as const;
  });
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(sizes.length > 2 && bytes < MAX_BYTES, `${bytes} bytes: ${sizes.join(' ')}`);
});
