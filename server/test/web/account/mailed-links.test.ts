// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { applicationOf, type LoginState, PASSWORD, type Person } from '../../support/app/person.ts';
import { emailOf } from '../../support/mail/letters.ts';
import { mailEnvironment } from '../../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../../support/mail/smtp-server.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const NEW_PASSWORD = 'a new one of many words';

const smtp = await TestSmtpServer.start();
const env = { HOLDALL_RATE_LIMITS: 'off' };
const { holdall, browser, begin, watch } = await startVisits({
  holdall: { env: { ...env, ...mailEnvironment(smtp) } },
});

/** The path of the link in the newest of that many mails to an address. */
async function linkTo(address: string, count = 1): Promise<string> {
  // Sends what is queued. Tests have no timers for it.
  await holdall.app.cleanUp();
  const mails = await smtp.waitForMails(address, count);
  const [, path] = /https:\/\/drive\.example\.org(\/[\w-]+#\w+=[\w%-]+)/.exec(mails.at(-1)?.text ?? '') ?? [];
  assert.ok(path, 'the mail has a link');
  return path;
}

/** Registers a user whose address is verified. */
async function registerVerified(name: string): Promise<Person> {
  const person = await holdall.register(name);
  const token = (await linkTo(emailOf(person))).split('=')[1];
  await person.ask('POST', '/api/auth/email-verification/confirm', { body: { token } });
  return person;
}

async function storedEmailOf(person: Person): Promise<string | null> {
  return (await person.ask<{ email: string | null }>('GET', '/api/user/profile')).email;
}

async function fillPasswords(page: Page, password: string, again = password): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(again);
  await page.getByRole('button', { name: 'Save password' }).click();
}

async function requestLink(page: Page, address: string): Promise<void> {
  await page.getByLabel('E-mail').fill(address);
  // The answer about the previous address is gone.
  await page.getByRole('status').filter({ hasText: 'on its way' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send link' }).click();
  const answer = "If an account with a password uses this verified address, we've sent a link there.";
  await page.getByRole('status').filter({ hasText: answer }).waitFor();
}

describe('a forgotten password', () => {
  test('is replaced with the mailed link, which works once', async () => {
    const alice = await registerVerified('alice');
    const visit = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByLabel('E-mail').fill('alice');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an e-mail address such as ann@example.org.').waitFor();
    await visit.checkAccessible();
    await requestLink(page, 'nobody@example.org');
    await requestLink(page, emailOf(alice));
    await visit.checkAccessible();

    const link = await linkTo(emailOf(alice), 2);
    await page.goto(link);
    await page.waitForURL(`${holdall.url}/reset-password`);
    await fillPasswords(page, NEW_PASSWORD, 'another one');
    await page.getByText("The passwords don't match.").waitFor();
    await fillPasswords(page, 'password123');
    await page.getByRole('alert').getByText('This password is too common').waitFor();
    assert.equal(await page.getByLabel('Confirm new password').inputValue(), 'password123');
    await visit.checkAccessible();
    await fillPasswords(page, NEW_PASSWORD);
    await page.waitForURL('**/login');
    await page.getByText('Your password has changed. Log in with the new one.').waitFor();
    await page.getByLabel('Username').fill(alice.username);
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My files' }).waitFor();

    await page.goto(link);
    await fillPasswords(page, 'yet another one of many words');
    await page.getByRole('alert').getByText('This link has expired or was already used.').waitFor();
    assert.equal(await page.getByLabel('Confirm new password').inputValue(), 'yet another one of many words');
    await visit.checkAccessible();
    const fault = page.getByRole('alert').filter({ hasText: "If you've just saved a new password" });
    await fault.getByRole('link', { name: 'Log in', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Request new link' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  });

  test('is replaced in a browser where another user stays logged in', inFull, async () => {
    const [bob, carol] = [await registerVerified('bob'), await holdall.register('carol')];
    await holdall.anonymous.ask('POST', '/api/auth/password-reset', { body: { email: emailOf(bob) } });
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(carol, await linkTo(emailOf(bob), 2));
    await fillPasswords(page, NEW_PASSWORD);
    await page.getByText('Changed your password.').waitFor();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await holdall.anonymous.ask('POST', '/api/auth/login', {
      body: { username: bob.username, password: NEW_PASSWORD },
    });
  });

  test('logs out the user of the browser who replaces it', inFull, async () => {
    const bob = await registerVerified('bob');
    await holdall.anonymous.ask('POST', '/api/auth/password-reset', { body: { email: emailOf(bob) } });
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(bob, await linkTo(emailOf(bob), 2));
    await fillPasswords(page, NEW_PASSWORD);
    await page.waitForURL('**/login');
    await page.getByText('Your password has changed. Log in with the new one.').waitFor();
  });

  test('cannot be replaced with an incomplete link, or if the service sends no mail', inFull, async () => {
    const silent = await startHoldall({ beside: holdall, env });
    const visit = await Visit.begin(browser, silent, { locale: 'zh-CN', colorScheme: 'dark' });
    watch(visit);
    const { page } = visit;
    await page.goto('/reset-password');
    await page.getByRole('alert').getByText('此链接不完整').waitFor();
    await visit.checkAccessible();
    await page.getByRole('link', { name: '重新获取链接' }).click();
    await page.getByText('此服务器不发送邮件').waitFor();
    await visit.checkAccessible();
    await page.getByRole('link', { name: '返回登录' }).click();
    await page.getByLabel('用户名').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('link', { name: '忘记密码？' }).count(), 0);
  });
});

describe('an e-mail address', () => {
  test('is verified with the button that the mailed link leads to', async () => {
    const dora = await holdall.register('dora');
    const isVerified = async () =>
      (await dora.ask<{ emailVerified: boolean }>('GET', '/api/user/profile')).emailVerified;
    const visit = await begin(PHONE);
    const { page } = visit;
    await visit.logIn(dora, '/profile');
    const notice = page.getByText(
      `Verify ${emailOf(dora)} to get notifications and other mail from this server.`,
    );
    await notice.waitFor();
    const details = page.locator('form').filter({ has: page.getByLabel('E-mail') });
    await details.getByText(`${emailOf(dora)} isn't verified yet.`).waitFor();
    await visit.checkAccessible();
    await details.getByRole('button', { name: 'Send verification mail', exact: true }).click();
    await page.getByText(`Verification mail to ${emailOf(dora)} is on its way.`).waitFor();

    const link = await linkTo(emailOf(dora), 2);
    await page.goto(link);
    await page.waitForURL(`${holdall.url}/verify-email`);
    await page.getByRole('button', { name: 'Confirm address' }).waitFor();
    await visit.checkAccessible();
    assert.equal(await isVerified(), false);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('status').getByText('Your e-mail address is verified.').waitFor();
    await visit.checkAccessible();
    assert.equal(await isVerified(), true);
    await page.getByRole('link', { name: 'Continue to Holdall' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await page.goto('/profile');
    await details.getByText(`${emailOf(dora)} is verified.`).waitFor();
    assert.equal(await notice.count(), 0);

    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('alert').getByText('This link has expired or was already used.').waitFor();
    await visit.checkAccessible();
  });

  test('is no longer asked for once the notice is closed', inFull, async () => {
    const visit = await begin({ colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(await holdall.register('emma'));
    const notice = page.getByRole('status').filter({ hasText: 'to get notifications and other mail' });
    await notice.waitFor();
    await visit.checkAccessible();
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    const methods = page.waitForResponse('**/api/auth/methods');
    await page.reload();
    await methods;
    await page.getByRole('row', { name: 'Documents' }).waitFor();
    assert.equal(await notice.count(), 0);
  });

  test('is changed with the password if the login is old', inFull, async () => {
    const young = await (await holdall.register('gina')).logIn(PASSWORD, 'mobile');
    holdall.clock.advance(16 * 60_000);
    const refresh = { body: { refreshToken: young.login?.refreshToken } };
    const gina = young.with(await holdall.anonymous.ask<LoginState>('POST', '/api/auth/refresh', refresh));
    const visit = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(gina, '/profile');
    const address = `${gina.username}@example.net`;
    const details = page.locator('form').filter({ has: page.getByLabel('E-mail') });
    await details.getByLabel('E-mail').fill(address);
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await details.getByLabel('E-mail').inputValue(), address);
    assert.notEqual(await storedEmailOf(gina), address);
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await visit.checkAccessible();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await details.getByText(`${address} isn't verified yet.`).waitFor();
    assert.equal(await storedEmailOf(gina), address);
  });
});

test('an invitation is mailed, and its link greets the recipient instead of asking for the code', async () => {
  const visit = await begin({ colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(await holdall.admin(), '/admin/invites');
  await page.getByRole('button', { name: 'Create invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create invite' });
  const field = dialog.getByLabel('Invite by mail');
  await field.fill('frank');
  await page.keyboard.press('Tab');
  await dialog.getByText('Enter an e-mail address such as ann@example.org.').waitFor();
  await visit.checkAccessible();
  const { password, phoneNumber, ...application } = applicationOf('frank', '');
  await field.fill(application.email);
  await dialog.getByRole('button', { name: 'Create and send' }).click();
  await page.getByText(`The invitation to ${application.email} is on its way.`).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);

  const link = await linkTo(application.email);
  const guest = await begin(PHONE);
  await guest.page.goto(link);
  const greeting = guest.page.getByRole('heading', { name: 'admin invites you to Holdall' });
  await guest.page.waitForURL(`${holdall.url}/register`);
  await greeting.waitFor();
  await guest.page.reload();
  await greeting.waitFor();
  assert.equal(await guest.page.getByLabel('Invite code').count(), 0);
  await guest.checkAccessible();
  await guest.page.getByLabel('Username').fill(application.username);
  await guest.page.getByLabel('E-mail').fill(application.email);
  await guest.page.getByLabel('Phone number').fill(phoneNumber);
  await guest.page.getByLabel('Password', { exact: true }).fill(password);
  const request = guest.page.waitForRequest('**/api/auth/register');
  await guest.page.getByRole('button', { name: 'Create account' }).click();
  assert.equal((await request).postDataJSON().preferredLanguage, 'en');
  await guest.page.getByRole('heading', { name: 'My files' }).waitFor();
});

test('an admin sees which mails failed, and clears them', async () => {
  smtp.answerRecipient = (address) =>
    address === 'gone@example.org' ? { code: 550, text: '5.1.1 there is no such mailbox' } : undefined;
  const admin = await holdall.admin();
  const body = { uses: 1, email: 'gone@example.org' };
  await admin.ask('POST', '/api/admin/invites', { body });
  await holdall.app.cleanUp();
  const countFailed = async () =>
    (await admin.ask<{ failed: readonly unknown[] }>('GET', '/api/admin/mail')).failed.length;
  assert.equal(await countFailed(), 1);
  const visit = await begin({ ...PHONE, colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(admin, '/admin');
  const card = page.getByRole('region', { name: 'Mail', exact: true });
  await card.getByText('On', { exact: true }).waitFor();
  await card.getByText('holdall@example.org').waitFor();
  await card.getByText('Invitation: gone@example.org').waitFor();
  await card.getByText('there is no such mailbox').first().waitFor();
  await visit.checkAccessible();
  await card.getByRole('button', { name: 'Clear failed mails' }).click();
  const question = page.getByRole('dialog', { name: 'Clear failed mails?' });
  await question.getByRole('button', { name: 'Clear failed mails' }).click();
  await page.getByText('Cleared failed mails.').waitFor();
  await card.getByText('gone@example.org').waitFor({ state: 'detached' });
  assert.equal(await countFailed(), 0);
});
