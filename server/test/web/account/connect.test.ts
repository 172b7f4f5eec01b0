// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asProgram, listAppPasswords } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
// It reads the clipboard.
const browser = await startBrowser({ isShared: false });

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
const ADDRESS = `${holdall.url}/dav/`;

describe('the page for connecting apps', () => {
  test('creates an app password for the computer, and fills it into the commands', async () => {
    const alice = await holdall.register('alice');
    const visit = await Visit.begin(browser, holdall, {
      permissions: ['clipboard-read', 'clipboard-write'],
      userAgent: WINDOWS,
    });
    const { page } = visit;
    await visit.logIn(alice, '/profile/apps');
    await page.getByRole('link', { name: 'Set up a computer' }).click();
    await page.getByRole('heading', { name: 'Connect apps', level: 1 }).waitFor();
    const main = page.getByRole('main');
    const systems = main.getByRole('heading', { level: 2 }).getByRole('button');
    assert.deepEqual(
      (await systems.allTextContents()).map((text) => text.replace('This device', '').trim()),
      ['Windows', 'Mac', 'Linux', 'Phones and tablets', 'Notes and password apps'],
    );
    const windows = page.getByRole('region', { name: 'Windows' });
    await windows.getByText('pass=APP-PASSWORD').waitFor();
    await visit.checkAccessible();
    await windows.getByRole('button', { name: 'Create app password' }).click();
    await windows.getByText("Saved as “Windows”. It won't be shown again.").waitFor();
    await windows.getByRole('button', { name: 'Copy: Password' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const password = String(await page.evaluate('navigator.clipboard.readText()'));
    await asProgram(alice, password).upload('/from-windows.txt', 'written with the app password');
    const command = `url=${ADDRESS} vendor=owncloud user=${alice.username} pass=${password} --obscure`;
    await windows.getByText(command).waitFor();
    await windows
      .getByRole('button', { name: `Copy: ${ADDRESS}` })
      .first()
      .click();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), ADDRESS);
    const closed = systems.and(page.locator('[aria-expanded=false]'));
    while ((await closed.count()) > 0) await closed.first().click();
    await page.getByText(`holdall login ${holdall.url} --app-password`).waitFor();
    // The password of one device is not shown for others.
    await page.getByRole('region', { name: 'Mac' }).getByText('pass=APP-PASSWORD').waitFor();
    assert.equal(await page.getByText('WebDAV is turned off').count(), 0);
    await visit.checkAccessible();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.checkAccessible();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);

    await windows.getByRole('link', { name: 'Show app passwords' }).click();
    await page.waitForURL('**/profile/apps#app-passwords');
    await page.getByText('Windows', { exact: true }).waitFor();
    visit.checkClean();
  });

  test('shows a phone everything with one QR code', async () => {
    const bob = await holdall.register('bob');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(bob, '/connect#phones');
    const phones = page.getByRole('region', { name: 'Phones and tablets' });
    await phones.getByRole('button', { name: 'Create app password and QR code' }).click();
    await phones.getByRole('img', { name: 'QR code with address, username and app password' }).waitFor();
    const [made] = await listAppPasswords(bob);
    assert.equal(made?.name, 'Phone');
    const password = (await phones.getByText(/^hda_/).textContent()) ?? '';
    await visit.checkAccessible();

    const phone = await Visit.begin(browser, holdall, { ...PHONE, userAgent: IPHONE, colorScheme: 'dark' });
    // The address in the code. Reading it needs a camera.
    await phone.page.goto(`/connect/phone#user=${bob.username}&password=${password}`);
    await phone.page.getByRole('heading', { name: 'Set up this phone' }).waitFor();
    for (const value of [ADDRESS, bob.username, password])
      await phone.page.getByText(value, { exact: true }).waitFor();
    await phone.page.getByRole('heading', { name: /PhotoSync/ }).waitFor();
    await phone.checkAccessible();
    assert.equal(await phone.page.evaluate('location.hash'), '', 'the password is not in the history');
    await asProgram(bob, password).list('/');
    await phone.page.reload();
    await phone.page.getByRole('alert').getByText('This page needs a QR code.').waitFor();
    visit.checkClean();
    phone.checkClean();
  });

  test('names the password after the phone that shows it, and needs no QR code there', async () => {
    const cleo = await holdall.register('cleo');
    const visit = await Visit.begin(browser, holdall, { ...PHONE, userAgent: IPHONE });
    const { page } = visit;
    await visit.logIn(cleo, '/connect');
    const phones = page.getByRole('region', { name: 'Phones and tablets' });
    await phones.getByRole('button', { name: 'Create app password', exact: true }).tap();
    await phones.getByText('Saved as “iPhone”.').waitFor();
    assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0);
    visit.checkClean();
  });
});
