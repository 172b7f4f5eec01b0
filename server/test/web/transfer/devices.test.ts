// tier: default
// runs on: sqlite
// needs: browser
// Transfers between devices of one account, without a code.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { startBrowser } from '../../support/web/browser.ts';
import {
  checkAccessible,
  chooseFiles,
  encrypt,
  hashFile,
  makeRandomFile,
  readSecret,
  visitTransfer,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

/**
 * The user agents of logins that the test makes without a browser. The service lists their devices by these.
 */
const LAPTOP_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
const ON_PHONE = 'Phone – Chrome on Android';
const ON_LAPTOP = 'Computer – Chrome on Linux';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const browser = await startBrowser({ isShared: false });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, 'film.mov');
const hash = await makeRandomFile(file, 2_000_000);
const visits: Visit[] = [];
afterEach(async () => {
  for (const visit of visits.splice(0)) {
    visit.checkClean();
    await visit.end();
  }
});

async function open(person: Person, address: string, options: Parameters<typeof visitTransfer>[2] = {}) {
  const made = await visitTransfer(browser, holdall, {
    scripts: [WITHOUT_PICKERS],
    address: '/login',
    ...options,
  });
  visits.push(made);
  return await made.logIn(person, address);
}

/** The laptop of a person on the page of the transfers, and their phone in their drive. */
async function openBoth(name: string, options: { readonly locale?: string } = {}) {
  const account = await holdall.register(name);
  const at = (client: 'desktop' | 'mobile', userAgent: string) =>
    account.with(undefined).logInAt(randomUUID(), client, { 'user-agent': userAgent });
  const laptop = await open(await at('desktop', LAPTOP_AGENT), '/transfer', options);
  const phone = await open(await at('mobile', PHONE_AGENT), '/drive', { ...PHONE, ...options });
  return { account, laptop, phone };
}

function deviceButton({ page }: Visit, name = ON_PHONE) {
  return page.getByRole('button', { name });
}

test('an online device is shown, asked without a code, and receives with one click', async () => {
  const { laptop, phone } = await openBoth('alice');
  await deviceButton(laptop).getByText('Online').waitFor();
  await checkAccessible(laptop);
  await chooseFiles(laptop.page, ON_PHONE, file);
  await laptop.page.getByText(`Waiting for you to accept on: ${ON_PHONE}`).waitFor();
  await phone.page.getByText(`${ON_LAPTOP} wants to send you 1 file, 2 MB.`).waitFor();
  await checkAccessible(phone);
  await checkAccessible(laptop);
  const downloading = phone.page.waitForEvent('download');
  await phone.page.getByRole('button', { name: 'Accept' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'film.mov');
  assert.equal(await hashFile(await download.path()), hash);
  await laptop.page.getByRole('heading', { name: 'Sent' }).waitFor();
  await phone.page.getByText('wants to send you').waitFor({ state: 'detached' });
});

test('a device can decline, is asked again, and stops asking when the sender cancels', inFull, async () => {
  const { laptop, phone } = await openBoth('alice');
  await deviceButton(laptop).waitFor();
  await chooseFiles(laptop.page, 'Choose files', file);
  await deviceButton(laptop).click();
  await phone.page.getByRole('button', { name: 'Decline' }).click();
  await laptop.page.getByText(`Declined on: ${ON_PHONE}`).waitFor();
  await phone.page.getByText('wants to send you').waitFor({ state: 'detached' });
  await deviceButton(laptop).click();
  await phone.page.getByText('wants to send you').waitFor();
  await laptop.page.getByRole('button', { name: 'Cancel' }).click();
  await phone.page.getByText('wants to send you').waitFor({ state: 'detached' });
});

test(
  'a device appears when it connects and disappears when it leaves, only for its own account',
  inFull,
  async () => {
    const { laptop, phone } = await openBoth('alice');
    const other = await openBoth('bob');
    await deviceButton(other.laptop).waitFor();
    await other.phone.page.goto('about:blank');
    await deviceButton(other.laptop).waitFor({ state: 'detached' });
    await other.phone.page.goto('/drive');
    await deviceButton(other.laptop).waitFor();
    // Each device sees one other device, although two accounts have two devices each.
    await deviceButton(laptop).waitFor();
    assert.equal(await laptop.page.getByText('Online').count(), 1);
    await phone.page.goto('/transfer');
    await deviceButton(phone, ON_LAPTOP).waitFor();
    assert.equal(await phone.page.getByText('Online').count(), 1);
  },
);

test(
  'an encrypted transfer asks the other device for the secret, which the service does not know',
  inFull,
  async () => {
    const { laptop, phone } = await openBoth('alice');
    await deviceButton(laptop).waitFor();
    await encrypt(laptop.page);
    await chooseFiles(laptop.page, ON_PHONE, file);
    const secret = await readSecret(laptop.page);
    await laptop.page.getByText('Enter it on the other device').waitFor();
    await phone.page.getByRole('button', { name: 'Accept' }).click();
    await phone.page.getByLabel('Secret').fill(secret);
    const downloading = phone.page.waitForEvent('download');
    await phone.page.getByRole('button', { name: 'Receive', exact: true }).click();
    assert.equal(await hashFile(await (await downloading).path()), hash);
  },
);

test('both pages are in Chinese if Chinese is chosen', inFull, async () => {
  const { laptop, phone } = await openBoth('alice', { locale: 'zh-CN' });
  await chooseFiles(laptop.page, '手机 – Android 上的 Chrome', file);
  await phone.page.getByText('电脑 – Linux 上的 Chrome 要发给您 1 个文件').waitFor();
  await phone.page.getByRole('button', { name: '拒绝' }).click();
  await laptop.page.getByText('以下设备已拒绝').waitFor();
});
