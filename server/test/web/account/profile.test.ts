// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { User } from '../../../src/app/contract.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const NEW_PASSWORD = 'a password quite unlike it';
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

const { holdall, begin } = await startVisits();
/** A user with a session for the test's own calls, which the login in the page does not end. */
const register = async (name: string) => (await holdall.register(name)).logIn(PASSWORD, 'mobile');

test('the profile is saved, and invalid values are reported at their fields', async () => {
  const erin = await register('erin');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(erin, '/profile');
  await visit.checkAccessible();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  assert.ok(await save.isDisabled());
  await page.getByLabel('Phone number').fill('call me');
  await page.getByText('5 to 20 digits, a leading + is fine.').waitFor();
  await save.click();
  await visit.checkAccessible();
  // A value that another account uses is also reported at its field.
  const frank = await register('frank');
  const { email } = await frank.ask<User>('GET', '/api/user/profile');
  const ownEmail = await page.getByLabel('E-mail').inputValue();
  await page.getByLabel('Phone number').fill('+49 170 1234567');
  await page.getByLabel('E-mail').fill(email ?? '');
  await save.click();
  await page.getByRole('alert').getByText('This e-mail address belongs to another account.').waitFor();
  assert.equal(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true');
  await visit.checkAccessible();
  await page.getByLabel('E-mail').fill(ownEmail);
  await page.getByLabel('Display name').fill('Erin the Great');
  await page.getByLabel('Bio').fill('Sails.');
  await page.getByText('274 characters left').waitFor();
  await save.click();
  await page.getByText('Saved.').waitFor();
  const user = await erin.ask<User>('GET', '/api/user/profile');
  assert.deepEqual(
    [user.displayName, user.phoneNumber, user.bio],
    ['Erin the Great', '+491701234567', 'Sails.'],
  );
  await page.getByRole('button', { name: 'Erin the Great' }).waitFor();
  assert.equal(await page.getByLabel('Phone number').inputValue(), '+491701234567');
});

test('nothing typed is lost while a form is being saved, and a rejected field gets the focus', async () => {
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(await register('gil'), '/profile');
  const held = Promise.withResolvers<() => Promise<void>>();
  await page.route('**/api/user/profile', (route) => {
    if (route.request().method() === 'PUT') held.resolve(() => route.continue());
    else return route.continue();
    return undefined;
  });
  const bio = page.getByLabel('Bio');
  await bio.fill('Sails.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const finish = await held.promise;
  await bio.focus();
  await page.keyboard.type(' Rows.');
  assert.equal(await bio.inputValue(), 'Sails.');
  await finish();
  await page.getByText('Saved.').waitFor();
  await bio.press('End');
  await page.keyboard.type(' Rows.');
  assert.equal(await bio.inputValue(), 'Sails. Rows.');
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await page.getByRole('link', { name: 'Security' }).click();
  const password = page.getByLabel('Current password');
  await password.fill('not the password');
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  const change = page.getByRole('button', { name: 'Change password' });
  // The field is scrolled out of view, above the window.
  await change.evaluate((button) => button.scrollIntoView());
  await change.click();
  await page.locator('[autocomplete=current-password]:focus[aria-invalid=true]').waitFor();
  const header = await page.getByRole('banner').boundingBox();
  const field = await password.boundingBox();
  assert(header && field && field.y > header.y + header.height);
});

test('a new language applies immediately, and on the next device as well', inFull, async () => {
  const wei = await register('wei');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(wei, '/profile');
  await page.getByRole('main').getByLabel('Language', { exact: true }).selectOption('简体中文');
  await page.getByRole('heading', { name: '个人资料', level: 1 }).waitFor();
  await page.getByText('已保存。').waitFor();
  await page.getByText('已用 0 字节，共 53.7 GB').first().waitFor();
  assert.equal((await wei.ask<User>('GET', '/api/user/profile')).preferredLanguage, 'zh-CN');

  const other = await begin({ ...{ viewport: { width: 360, height: 740 } }, colorScheme: 'dark' });
  // A new login returns the user with the new language, which the page takes from there.
  await wei.logIn();
  await other.logIn(wei, '/profile');
  await other.page.getByRole('heading', { name: '个人资料', level: 1 }).waitFor();
  await other.checkAccessible();
});

test('a picture is cropped to a square and appears in the menu', inFull, async () => {
  const finn = await register('finn');
  const visit = await begin({ colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(finn, '/profile');
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByText("This browser can't read that picture.").waitFor();
  await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: makePng(300, 200) });
  const dialog = page.getByRole('dialog');
  const place = dialog.getByRole('application');
  await place.press('ArrowRight');
  await dialog.getByRole('slider').press('ArrowRight');
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Changed your picture.').waitFor();
  await page.locator('header img[src^="blob:"]').waitFor();

  const sent = await finn.fetch('GET', '/api/user/avatar/content');
  assert.equal(sent.headers.get('content-type'), 'image/jpeg');
  const picture = Buffer.from(await sent.arrayBuffer()).toString('base64');
  const sides = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    // The browser has this function, but the types of this file do not.
    const { createImageBitmap } = globalThis as unknown as {
      createImageBitmap(blob: Blob): Promise<{ width: number; height: number }>;
    };
    const { width, height } = await createImageBitmap(new Blob([bytes]));
    return [width, height];
  }, picture);
  assert.deepEqual(sides, [512, 512]);
});

test('a new password keeps this session and ends all others, and the app passwords on demand', async () => {
  const gwen = await holdall.register('gwen');
  const { password: appPassword } = await createAppPassword(gwen);
  const phone = await begin({ userAgent: PHONE_AGENT, viewport: { width: 360, height: 740 } });
  await phone.logIn(gwen);
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(gwen);
  // A phone and a laptop have separate sessions.
  await phone.page.goto('/profile/security');
  await phone.page.getByLabel('New password', { exact: true }).waitFor();

  await page.goto('/profile/security');
  await page.getByLabel('Current password').fill('wrong, and long enough');
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByLabel('Confirm new password').fill('shorter');
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await page.getByText('At least 8 characters.', { exact: true }).waitFor();
  await page.getByText("The passwords don't match.").waitFor();
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  await change.click();
  await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
  assert.equal(await page.getByLabel('Current password').getAttribute('aria-invalid'), 'true');
  await visit.checkAccessible();
  await page.getByLabel('Current password').fill(PASSWORD);
  await change.click();
  await page.getByText('Changed your password.').waitFor();
  await asProgram(gwen, appPassword).list('/');
  await page.getByLabel('Current password').fill(NEW_PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.getByRole('checkbox', { name: 'Also delete all app passwords' }).check();
  await change.click();
  // Waits until the page has stored its new session. A reload before that would lead to the login page.
  await page.getByRole('checkbox', { name: 'Also delete all app passwords', checked: false }).waitFor();
  await asProgram(gwen, appPassword).refused(401, 1001, 'GET', '/api/files/list');
  await page.reload();
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await phone.page.reload();
  await phone.page.waitForURL('**/login**');
});

test('an app password is created, shown once, and deleted', inFull, async () => {
  const hana = await register('hana');
  const visit = await begin({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(hana, '/profile/apps');
  const create = page.getByRole('button', { name: 'Create app password' });
  await create.click();
  await visit.checkAccessible();
  await page.getByLabel('Name', { exact: true }).fill('rclone on the laptop');
  await page.getByLabel('What the app can do').selectOption('Read only');
  await page.getByLabel('Valid for').selectOption('30 days');
  await create.click();
  const dialog = page.getByRole('dialog', { name: 'Password for rclone on the laptop' });
  const password = (await dialog.locator('pre').textContent()) ?? '';
  assert.match(password, /^hda_[0-9A-Za-z]{32}$/);
  await dialog.getByRole('img', { name: 'QR code of the app password' }).waitFor();
  await dialog.getByRole('button', { name: 'Copy password' }).waitFor();
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  const program = asProgram(hana, password);
  await program.list('/');
  await program.refused(403, 1002, 'POST', '/api/files/mkdir', { body: { path: '/x' } });
  await page.reload();
  await page.getByText('Last used').waitFor();
  await page.getByText('Valid until').waitFor();
  assert.ok(!(await page.content()).includes(password));
  await visit.checkAccessible();
  await page.getByRole('button', { name: 'Delete rclone on the laptop' }).click();
  const question = page.getByRole('dialog', { name: 'Delete rclone on the laptop' });
  await visit.checkAccessible();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted the app password.').waitFor();
  await page.getByText('rclone on the laptop', { exact: true }).waitFor({ state: 'detached' });
  await program.refused(401, 1001, 'GET', '/api/files/list');
});

test('a login on another computer does not end the session here, and can be ended from here', async () => {
  const iris = await holdall.register('iris');
  const enter = async ({ page }: Visit) => {
    await page.getByLabel('Username').fill(iris.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/drive**');
  };
  const [here, there] = [await begin(), await begin({ colorScheme: 'dark' })];
  for (const visit of [here, there]) {
    await visit.page.goto('/login');
    await enter(visit);
  }
  const { page } = here;
  await page.reload();
  await page.getByRole('heading', { name: 'My files' }).waitFor();

  await page.goto('/profile/devices');
  await page.getByText('This device', { exact: true }).waitFor();
  await here.checkAccessible();
  // The session of the call that registered the user.
  await page.getByText('node', { exact: true }).waitFor();
  const end = page.getByRole('button', { name: 'Log out Chrome on Linux' });
  assert.equal(await end.count(), 1);
  await end.click();
  await page.getByText('Logged out the session.').waitFor();
  await end.waitFor({ state: 'detached' });

  await there.page.waitForURL('**/login**');
  const reason = 'You were logged out here from another device.';
  await there.page.getByText(reason).waitFor();
  await there.checkAccessible();
  await enter(there);
  await there.page.getByRole('heading', { name: 'My files' }).waitFor();

  // Ending one's own session is a plain logout, so the page shows no reason.
  await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL('**/login**');
  await page.getByLabel('Username').waitFor();
  assert.equal(await page.getByText(reason).count(), 0);
});

test(
  'the section that the address names stays in view after the lists above it have loaded',
  inFull,
  async () => {
    const visit = await begin();
    const { page } = visit;
    await page.route('**/api/user/sessions**', async (route) => {
      // The list of sessions comes last, and the section has scrolled by then.
      await page.getByRole('switch').first().waitFor();
      await route.continue();
    });
    await visit.logIn(await register('hash'), '/profile#notifications');
    await page.getByText('Last active').first().waitFor();
    await waitFor(
      async () => (await page.locator('#notifications').boundingBox())?.y ?? Number.NaN,
      (y) => y >= 0 && y < 120,
      'the section at the top',
    );
  },
);
