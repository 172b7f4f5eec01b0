// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { ShareSummary } from '../../../src/app/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { linePage, makePdf } from '../../support/documents/pdf-files.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
const alice = await holdall.register('alice');
const TEXT = '# Plans\n\nWe leave on **Monday**.';
const text = await alice.upload('/Documents/plans.md', TEXT, 'text/markdown');
const sound = await alice.upload('/Documents/song.mp3', 'no real song', 'audio/mpeg');
const photo = await alice.upload('/Pictures/lake.png', makePng(1_200, 800), 'image/png');
const letter = await alice.upload(
  '/Documents/letter.pdf',
  makePdf([linePage('Dear reader')]),
  'application/pdf',
);
const damaged = await alice.upload('/Documents/damaged.pdf', '%PDF-1.7\nnothing more', 'application/pdf');
const other = await alice.upload('/Documents/data.bin', 'unknown');

let visits: Visit[] = [];
const begin = async (options: BrowserContextOptions = {}, program = browser) => {
  const visit = await Visit.begin(program, holdall, options);
  visits.push(visit);
  return visit;
};
afterEach(() => {
  for (const visit of visits) visit.checkClean();
  visits = [];
});

const share = (file: { id: number }, options: object = {}) =>
  alice.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id, ...options } });
const countDownloads = async ({ token }: ShareSummary) =>
  (await alice.ask<ShareSummary>('GET', `/api/v2/shares/${token}`)).downloadCount;
const plans = (page: Page) => page.getByRole('region', { name: 'plans.md' });

describe('the page of a share', () => {
  test('shows text above the buttons, also on a phone', inFull, async () => {
    const shared = await share(text);
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' as const }]) {
      const visit = await begin(options);
      const { page } = visit;
      await page.goto(`/s/${shared.token}`);
      await plans(page).getByRole('heading', { name: 'Plans' }).waitFor();
      const top = async (locator: ReturnType<Page['locator']>) => (await locator.boundingBox())?.y ?? 0;
      const download = page.getByRole('button', { name: 'Download' });
      assert((await top(plans(page))) < (await top(download)));
      const { y = 0, height = 0 } = (await download.boundingBox()) ?? {};
      assert(y + height <= (page.viewportSize()?.height ?? 0), 'the button is in view');
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert(Number(overflow) <= 0);
      await visit.checkAccessible();
    }
    assert.equal(await countDownloads(shared), 2);
  });

  test('with limited uses shows the content only on request, and says that this is a use', async () => {
    const shared = await share(text, { maxDownloads: 1 });
    const visit = await begin();
    const { page } = visit;
    await page.goto(`/s/${shared.token}`);
    await page.getByText('This counts as a download.').waitFor();
    await visit.checkAccessible();
    assert.equal(await countDownloads(shared), 0);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await plans(page).getByText('Monday').waitFor();
    await page.getByText('That was the last download').waitFor();
    assert.equal(await countDownloads(shared), 1);
    assert.equal(await plans(page).isVisible(), true);
  });

  test('plays a video that has a thumbnail', inFull, async () => {
    const film = await alice.upload('/Documents/film.mp4', 'no real film', 'video/mp4');
    const shared = await share(film, { maxDownloads: 1 });
    const visit = await begin();
    const { page } = visit;
    // Answers like a service that makes thumbnails of videos.
    await page.route(`**/api/v2/shares/${shared.token}`, async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = await response.json();
      const file = { ...data.file, thumbnailVersion: 'some-version' };
      await route.fulfill({ response, json: { ...envelope, data: { ...data, file } } });
    });
    await page.goto(`/s/${shared.token}`);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'film.mp4' }).count(), 0);
  });

  test(
    'shows the thumbnail of a picture without counting a use, whatever the share allows',
    inFull,
    async () => {
      for (const shared of [
        await share(photo, { maxDownloads: 1 }),
        await share(photo, { allowDownload: false }),
      ]) {
        const visit = await begin(PHONE);
        const { page } = visit;
        await page.goto(`/s/${shared.token}`);
        const picture = page.getByRole('img', { name: 'lake.png' });
        await picture.waitFor();
        await page.waitForFunction('document.querySelector("main img")?.naturalWidth === 1024');
        await visit.checkAccessible();
        assert.equal(await countDownloads(shared), 0);
      }
    },
  );

  test('loads no audio before it is played', inFull, async () => {
    const shared = await share(sound);
    const { page } = await begin();
    await page.goto(`/s/${shared.token}`);
    await page.locator('audio').waitFor();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    assert.equal(await countDownloads(shared), 0);
  });

  test(
    'shows a PDF in its own viewer, and asks before if that is counted against a limit',
    inFull,
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const shared = await share(letter);
        const visit = await begin({ colorScheme });
        const { page } = visit;
        await page.goto(`/s/${shared.token}`);
        await page.getByText('Dear reader').waitFor();
        await page.getByRole('button', { name: 'Download' }).waitFor();
        assert.equal(await page.locator('iframe').count(), 0);
        await visit.checkAccessible();
        assert.equal(await countDownloads(shared), 1);
      }
      const limited = await share(letter, { maxDownloads: 1 });
      const { page } = await begin();
      await page.goto(`/s/${limited.token}`);
      await page.getByText('This counts as a download.').waitFor();
      assert.equal(await countDownloads(limited), 0);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Dear reader').waitFor();
      assert.equal(await countDownloads(limited), 1);
    },
  );

  test('says if a PDF is damaged', inFull, async () => {
    const shared = await share(damaged);
    const visit = await begin(PHONE);
    const { page } = visit;
    await page.goto(`/s/${shared.token}`);
    await page.getByText("This file is damaged, or isn't what its name says.").waitFor();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await visit.checkAccessible();
    assert.equal(await countDownloads(shared), 1);
  });

  test('with a password shows nothing before it is entered', inFull, async () => {
    const shared = await share(text, { password: 'sesame seeds' });
    const { page } = await begin();
    await page.goto(`/s/${shared.token}`);
    await page.getByLabel('Password', { exact: true }).fill('sesame seeds');
    assert.equal(await plans(page).count(), 0);
    await page.getByRole('button', { name: 'Open' }).click();
    await plans(page).getByText('Monday').waitFor();
  });

  test('offers no preview for other types of files, or if downloads are not allowed', inFull, async () => {
    for (const shared of [await share(other), await share(text, { allowDownload: false })]) {
      const { page } = await begin();
      await page.goto(`/s/${shared.token}`);
      await page.getByText(`${alice.username} shared this with you`).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Show', exact: true }).count(), 0);
      assert.equal(await plans(page).count(), 0);
    }
  });
});
