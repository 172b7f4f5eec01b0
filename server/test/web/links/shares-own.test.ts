// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { ShareSummary } from '../../../src/app/contract.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ browser: { isShared: false } });
/** A user of that name with a session for the test's own calls, which a login in the page does not end. */
const register = async (name: string) => (await holdall.register(name)).logIn(PASSWORD, 'mobile');
const alice = await register('alice');
const file = await alice.upload('/Documents/Plans & more.bin', 'plans'.repeat(60_000));

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });

describe('an owner of shares', () => {
  test('sees an empty page first, then every link with its usage and its file', async () => {
    const dora = await register('dora');
    const visit = await begin({ colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(dora, '/shared');
    await page.getByRole('heading', { name: "You aren't sharing anything yet" }).waitFor();
    await visit.checkAccessible();
    const own = await dora.upload('/Documents/own.txt', 'text'.repeat(10_000));
    for (let shares = 0; shares < 26; shares += 1) {
      await dora.ask('POST', '/api/v2/shares', {
        body: { fileId: own.id, shareName: `Copy ${shares}`, password: shares === 25 ? 'sesame' : null },
      });
    }
    await page.reload();
    await page.getByText('26 file links').waitFor();
    assert.equal(await page.getByRole('listitem').filter({ hasText: 'Copy' }).count(), 25);
    await visit.checkAccessible();
    await button(page, 'Page 2').click();
    await page.getByText('Copy 0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More about Copy 0' }).click();
    await page.getByRole('menuitem', { name: 'Show in my files' }).click();
    await page.waitForURL(`**/drive/Documents?select=${own.id}`);
  });

  test('copies a link, even if the browser gives pages no clipboard access', async () => {
    for (const hasClipboard of [true, false]) {
      const visit = await begin({ permissions: ['clipboard-read', 'clipboard-write'] });
      const { page } = visit;
      if (!hasClipboard) {
        await visit.addScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      }
      await visit.logIn(alice, `/shared?file=${file.id}`);
      await button(page, 'Create link').click();
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      await button(page, 'Copy link').click();
      await button(page, 'Copied').waitFor();
      await button(page, 'Create another link').click();
      await page.getByLabel('Title').focus();
      await page.keyboard.press('Control+V');
      const pasted = () => page.getByLabel('Title').inputValue();
      await waitFor(pasted, (text) => text === link, 'the link in the field');
    }
  });

  test('is told that an opened link is their own', async () => {
    const { token } = await alice.ask<ShareSummary>('POST', '/api/v2/shares', {
      body: { fileId: file.id, password: 'sesame' },
    });
    const visit = await begin();
    await visit.logIn(alice, `/s/${token}`);
    await visit.page.getByText('This is your own link.').waitFor();
    await visit.checkAccessible();
    const page = await alice.ask<{ items: ShareSummary[] }>('GET', '/api/v2/shares/mine?size=1');
    assert.equal(page.items[0]?.viewCount, 0, 'one’s own look is no view');
  });

  test('changes the options of a share, whose link stays the same', async () => {
    const share = await alice.ask<ShareSummary>('POST', '/api/v2/shares', {
      body: { fileId: file.id, password: 'sesame', maxDownloads: 3 },
    });
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(alice, '/shared');
      await page
        .getByRole('button', { name: /^More about/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Change…' }).click();
      const dialog = page.getByRole('dialog', { name: /Change link to/ });
      await dialog.waitFor();
      await visit.checkAccessible();
      const isFirst = !('isMobile' in options);
      await dialog.getByLabel('Download limit').fill(isFirst ? '7' : '9');
      if (isFirst) await dialog.getByLabel('Remove password').check();
      await dialog.getByLabel('Title').fill('A better name');
      await button(dialog, 'Save changes').click();
      await page.getByText('Changed the link.').waitFor();
      await page.getByText(`0 of ${isFirst ? 7 : 9} downloads`).waitFor();
    }
    const changed = await holdall.anonymous.ask<ShareSummary>('GET', `/api/v2/shares/${share.token}`);
    assert.deepEqual(
      [changed.shareName, changed.passwordRequired, changed.maxDownloads],
      ['A better name', false, 9],
    );
  });

  test('sees the same path and actions for links to files and to folders', async () => {
    const person = await holdall.register('carol');
    const plan = await person.upload('/Documents/School/plan.txt', 'x', 'text/plain');
    const school = (await person.list('/Documents')).items.find(({ filename }) => filename === 'School');
    await person.ask('POST', '/api/v2/shares', { body: { fileId: plan.id } });
    await person.ask('POST', '/api/v2/folder-links', { body: { directoryId: school?.id, mode: 'VIEW' } });
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(person, '/shared');
      for (const [name, path] of [
        ['plan.txt', 'My files / Documents / School / plan.txt'],
        ['School', 'My files / Documents / School'],
      ] as const) {
        const row = page.getByRole('listitem').filter({ has: page.getByText(path, { exact: true }) });
        await button(row, `Copy link of ${name}`).waitFor();
        await button(row, `More about ${name}`).click();
        await row.getByRole('menuitem').first().waitFor();
        assert.deepEqual(await row.getByRole('menuitem').allInnerTexts(), [
          'QR code and link',
          'Change…',
          'Show in my files',
          'Open public page',
          'Create another link',
          'Stop sharing',
        ]);
        await visit.checkAccessible();
        await page.keyboard.press('Escape');
        await row.getByRole('menu').waitFor({ state: 'detached' });
      }
    }
  });

  test('sees which entries are shared, and ends the link of a folder', async () => {
    const folder = await alice.mkdir('/Shared folder');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(alice, `/shared?file=${folder.id}`);
    await button(page, 'Create link').click();
    const address = await page.getByLabel('Link', { exact: true }).inputValue();
    await visit.checkAccessible();
    await page.goto('/drive');
    await page
      .getByRole('row', { name: 'Shared folder' })
      .getByRole('img', { name: 'Shared by link' })
      .waitFor();
    await visit.checkAccessible();
    await page.goto('/shared');
    await button(page, 'More about Shared folder').click();
    await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Stopped sharing.').waitFor();
    const { status } = await holdall.anonymous.call(
      'GET',
      `/api/v2/folder-links/${address.split('/').at(-1)}`,
    );
    assert.equal(status, 404);
  });

  test('cannot create a share with a past date, or one that allows nothing', async () => {
    const visit = await begin({ colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(alice, `/shared?file=${file.id}`);
    await page.getByLabel('Expires').selectOption('On a date…');
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await button(page, 'Create link').click();
    await page.getByText('This time has passed.').waitFor();
    await page.getByLabel('Allow download').uncheck();
    await page.getByLabel('Allow saving to a Holdall drive').uncheck();
    await page.getByText('Allow at least one of these.').waitFor();
    await visit.checkAccessible();
  });
});
