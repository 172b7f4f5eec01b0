import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { startBrowser } from '../support/browser.ts';
import { startHoldall } from '../support/holdall.ts';
import { applicationOf } from '../support/person.ts';
import { Visit } from '../support/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
const alice = await holdall.register('alice');
let visit: Visit;
afterEach(() => visit.checkClean());

describe('somebody without a login', () => {
  test('is led to the login, and from there to where they wanted', async () => {
    visit = await Visit.begin(browser, holdall);
    await visit.page.goto('/drive/Documents');
    await visit.page.getByLabel('User name').fill(alice.username);
    await visit.page.getByLabel('Password', { exact: true }).fill('wrong, and long enough');
    await visit.page.getByRole('button', { name: 'Log in' }).click();
    await visit.page.getByRole('alert').waitFor();
    await visit.checkAccessible();
    await visit.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForURL('**/drive/Documents');
  });

  test('registers with a code, and is in the drive', async () => {
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    const application = applicationOf('newcomer', await holdall.inviteCode());
    await page.goto(`/register?code=${application.inviteCode}`);
    await page.getByLabel('User name').fill(application.username);
    await page.getByLabel('E-mail').fill(application.email);
    await page.getByLabel('Phone number').fill(application.phoneNumber);
    await page.getByLabel('Password', { exact: true }).fill(application.password);
    await page.getByLabel('Password, once more').fill(application.confirmPassword);
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await page.getByText('Pictures').waitFor();
  });
});

test('who logs out in one tab is out in all of them', async () => {
  visit = await Visit.begin(browser, holdall);
  await visit.logIn(alice);
  const other = await visit.context.newPage();
  await other.goto('/drive');
  await other.getByRole('heading', { name: 'My files' }).waitFor();
  await visit.page.getByRole('button', { name: alice.username }).click();
  await visit.page.getByRole('menuitem', { name: 'Log out' }).click();
  await visit.page.waitForURL('**/login**');
  await other.waitForURL('**/login**');
});

test('the page lets nothing in that is not its own', async () => {
  const page = await holdall.anonymous.fetch('GET', '/drive', { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  const again = await holdall.anonymous.fetch('GET', '/', { headers: { accept: 'text/html' } });
  assert.notEqual(again.headers.get('content-security-policy'), policy, 'a nonce is used once');
});

test('programs get what the specification says at the front door', async () => {
  assert.equal((await holdall.anonymous.call('GET', '/')).code, 0);
});
