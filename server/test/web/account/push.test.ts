// tier: default
// runs on: sqlite
// needs: browser
// Notifications of the system, from what causes them to what a person sees. Only the browser's push service is
// replaced.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { tell } from '../../support/notifications/push.ts';
import { type PushBrowser, TestPushService } from '../../support/notifications/push-service.ts';
import { startWholeBrowser } from '../../support/web/browser.ts';
import {
  clickNotification,
  isSubscribed,
  PushDelivery,
  subscribeWith,
  waitForNotifications,
} from '../../support/web/push-page.ts';
import { Visit } from '../../support/web/web-visit.ts';

const service = await TestPushService.start();
const holdall = await startHoldall({
  env: { HOLDALL_PUBLIC_URL: 'https://drive.example.org' },
  pushNetwork: service.network,
});
const { app } = holdall;
// The smaller headless browser refuses notifications.
const browser = await startWholeBrowser();
let visit: Visit;
afterEach(() => visit.checkClean());

/** The profile of a new person, whose browser allows notifications and is subscribed there. */
async function openProfile(name: string) {
  const person = await holdall.register(name);
  const device = service.newBrowser(name);
  visit = await Visit.begin(browser, holdall, { serviceWorkers: 'allow', permissions: ['notifications'] });
  await visit.addScript(subscribeWith(device));
  await visit.logIn(person, '/profile/devices');
  return { person, device, page: visit.page };
}

const toggle = (page: Page) => page.getByRole('switch', { name: /^Notify this device/ });

async function turnOn(page: Page, { endpoint }: PushBrowser): Promise<void> {
  await toggle(page).click();
  await waitUntil('the server knows the browser', async () => (await endpoints()).includes(endpoint));
}

async function endpoints(): Promise<readonly string[]> {
  const rows = await app.database.db.selectFrom('push_subscription').select('endpoint').execute();
  return rows.map(({ endpoint }) => endpoint);
}

test('a device that was turned on shows what its owner is told, and a click opens it in the open page', async () => {
  const { person, device, page } = await openProfile('ann');
  await turnOn(page, device);
  const delivery = await PushDelivery.begin(page, await visit.openTools());
  await tell(holdall, person, 'plan.pdf');
  await app.pushDelivery.runOnce();
  const [message] = service.messagesTo(device);
  assert(message);
  const text = device.decrypt(message.body);
  const { id } = JSON.parse(text);
  await delivery.deliver(text);
  const shown = {
    title: 'Your transfer was received',
    body: 'Someone with the code received “plan.pdf”.',
    tag: `notification-${id}`,
    icon: `${holdall.url}/web/icon-192.png`,
    data: { url: '/transfer' },
  };
  assert.deepEqual(await waitForNotifications(page, 1), [shown]);
  // The same message again replaces the notification; one that cannot be read shows something as well.
  await delivery.deliver(text);
  await delivery.deliver('unreadable');
  const titles = (await waitForNotifications(page, 2)).map(({ title }) => title);
  assert.deepEqual(titles.sort(), ['Holdall', shown.title]);
  await page.evaluate(`navigator.serviceWorker.ready.then(async (registration) => {
    const [unreadable] = await registration.getNotifications({ tag: 'notification-0' });
    unreadable.close();
  })`);
  await waitForNotifications(page, 1);
  await page.evaluate('window.isSame = true');
  await clickNotification(page);
  await page.waitForURL('**/transfer');
  assert.equal(await page.evaluate('window.isSame'), true, 'the page is not loaded again');
  await waitForNotifications(page, 0);
});

test('a device stays on after another login, until its owner turns it off', async () => {
  const { person, device, page } = await openProfile('bea');
  await turnOn(page, device);
  await person.ask('POST', '/api/auth/logout');
  assert(!(await endpoints()).includes(device.endpoint));
  await person.logIn();
  await visit.logIn(person, '/profile/devices');
  await waitUntil('the browser subscribes again', async () => (await endpoints()).includes(device.endpoint));
  await page.reload();
  await toggle(page).and(page.locator(':checked')).click();
  await waitUntil('the server forgets it', async () => !(await endpoints()).includes(device.endpoint));
  await waitUntil('the browser forgets it', async () => !(await isSubscribed(page)));
});

test('someone else who logs in on the device does not get the notifications of the former owner', async () => {
  const { device, page } = await openProfile('carl');
  await turnOn(page, device);
  await visit.logIn(await holdall.register('dora'), '/profile/devices');
  await waitUntil('the subscription ends', async () => !(await isSubscribed(page)));
  await toggle(page).waitFor();
  assert.equal(await toggle(page).isChecked(), false);
});
