// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { FolderLinkRecord } from '../../../src/app/contract.ts';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startVisits } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const COUNT = 10_000;
/** More than the tiles that fit the tallest screen, plus a few outside it. */
const MAX_PICTURES = 150;

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
const like = await alice.upload('/like.png', makePng(64, 64), 'image/png');
const album = await alice.mkdir('/Album');
await fillDirectory(holdall, album, { count: COUNT, like, type: 'image/png' });

let visit: Visit;

/** Scrolls to the end, one step per frame. Returns what was rendered, and the frame times in ms. */
function scrollThrough(box: Locator, steps: number) {
  return box.evaluate(async (element, count) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const times: number[] = [];
    let pictures = 0;
    let nodes = 0;
    let before = await frame();
    const distance = element.scrollHeight - element.clientHeight;
    for (let step = 1; step <= count; step += 1) {
      element.scrollTop = (distance * step) / count;
      const now = await frame();
      times.push(now - before);
      before = now;
      pictures = Math.max(pictures, element.querySelectorAll('li, [role=gridcell]').length);
      nodes = Math.max(nodes, element.querySelectorAll('*').length);
    }
    times.sort((one, other) => one - other);
    const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? 0);
    return { pictures, nodes, height: element.scrollHeight, half: at(0.5), most: at(0.95), longest: at(1) };
  }, steps);
}

async function check(box: Locator, log: (message: string) => void): Promise<void> {
  const seen = await scrollThrough(box, 200);
  log(
    `frames: ${seen.half} ms median, ${seen.most} ms 95 %, ${seen.longest} ms longest; ${seen.nodes} nodes`,
  );
  assert.ok(seen.height > 50_000, `only ${seen.height} pixels`);
  assert.ok(seen.pictures > 0 && seen.pictures <= MAX_PICTURES, `${seen.pictures} pictures at once`);
  assert.ok(seen.nodes < 40 * MAX_PICTURES, `${seen.nodes} nodes at once`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a folder link with ten thousand pictures renders those in view only, ${colorScheme}`, async (t) => {
    const link = await alice.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', {
      body: { directoryId: album.id, mode: 'VIEW' },
    });
    visit = await begin({ colorScheme });
    const { page } = visit;
    await page.goto(`/f/${link.token}`);
    await page.getByText('10,000 items').waitFor();
    const box = page.getByRole('region', { name: 'Files and folders' });
    await box.locator('img').first().waitFor();
    await check(box, (message) => t.diagnostic(message));
    await box.getByText('file 09999.txt').waitFor();
    await visit.checkAccessible();
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`ten thousand tiles of the drive render those in view only, ${colorScheme}`, async (t) => {
    visit = await begin({ colorScheme });
    const { page } = visit;
    await visit.addScript(`localStorage.setItem('holdall.drive-look', '{"view":"tiles"}')`);
    await visit.logIn(alice, '/drive/Album');
    const grid = page.getByRole('grid');
    await grid.getByRole('gridcell').filter({ hasText: 'file 00000.txt' }).waitFor();
    await grid.locator('img').first().waitFor();
    await check(grid, (message) => t.diagnostic(message));
    await grid.getByRole('gridcell').filter({ hasText: 'file 09999.txt' }).waitFor();
    await visit.checkAccessible();
  });
}
