// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { FolderLinkRecord } from '../../../src/folder-links/contract.ts';
import type { Instance } from '../../../src/instance/contract.ts';
import { setAvatar } from '../../support/app/set-avatar.ts';
import { makePng } from '../../support/media/pictures.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const chief = await holdall.admin();

const GREETING = 'Welcome to our drive.\nAsk Ann first.';
const hasOwnLogo = async ({ page }: Visit) => {
  const logo = page.locator('img[src^="/api/v2/site/instance/logo"]').first();
  await logo.waitFor();
  assert.ok(await logo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)));
};

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `an admin names the instance, and every page has its name, logo and greeting, on ${device}`,
    device === 'a laptop' ? {} : inFull,
    async () => {
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(chief, '/admin/settings');
      await page.getByRole('button', { name: 'Change name and logo' }).click();
      const dialog = page.getByRole('dialog', { name: 'Name and logo' });
      await dialog.getByLabel('Name', { exact: true }).fill('Meyer family');
      const title = await page.title();
      assert.match(title, / – Holdall$/);
      await dialog.getByLabel('Greeting').fill(GREETING);
      const choose = dialog.locator('input[type=file]');
      await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('none') });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').getByText("isn't a picture").waitFor();
      await visit.checkAccessible();
      await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: makePng(90, 60) });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Changed name and logo.').waitFor();
      await untilTitle(page, title.replace('Holdall', 'Meyer family'));
      await hasOwnLogo(visit);
      await page.getByRole('region', { name: 'Name and logo' }).getByText('Meyer family').waitFor();

      const guest = await begin(options);
      await guest.page.goto('/login');
      await guest.page.getByRole('heading', { name: 'Log in to Meyer family' }).waitFor();
      await guest.page.getByText('Ask Ann first.').waitFor();
      await untilTitle(guest.page, 'Meyer family');
      await hasOwnLogo(guest);
      await guest.checkAccessible();

      const directory = await chief.mkdir(`/Documents/Trip ${device}`);
      await setAvatar(chief);
      const body = { directoryId: directory.id, mode: 'UPLOAD', password: 'open sesame' };
      const { token } = await chief.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', { body });
      await guest.page.goto(`/f/${token}`);
      await guest.page.getByRole('link', { name: 'Meyer family' }).waitFor();
      await guest.page.getByText('Ask Ann first.').waitFor();
      await hasOwnLogo(guest);
      const picture = guest.page.locator('img[src*="/owner-avatar"]');
      assert.equal(await picture.count(), 0);
      await guest.page.getByLabel('Password', { exact: true }).fill('open sesame');
      await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
      await picture.waitFor();
      assert.ok(
        await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      );
      await guest.checkAccessible();

      await page.getByRole('button', { name: 'Change name and logo' }).click();
      await dialog.getByRole('button', { name: 'Remove logo' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('');
      await dialog.getByLabel('Greeting').fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await untilTitle(page, title);
      assert.deepEqual(await holdall.anonymous.ask<Instance>('GET', '/api/v2/site/instance'), {
        ...{ name: 'Holdall', greeting: null, logoUrl: null },
      });
    },
  );
}
