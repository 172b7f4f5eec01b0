// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { NotificationSettings } from '../../../src/notifications/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { mailEnvironment } from '../../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../../support/mail/smtp-server.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const SETTINGS = '/api/user/notification-settings';
const PAGE = '/profile#notifications';

const smtp = await TestSmtpServer.start();
const { holdall, browser, begin, watch } = await startVisits({ holdall: { env: mailEnvironment(smtp) } });

/** The saved settings of a kind, as soon as they are these. */
function untilSaved(person: Person, kind: keyof NotificationSettings, app: boolean, mail: boolean) {
  return waitFor(
    () => person.ask<NotificationSettings>('GET', SETTINGS),
    (settings) => settings[kind].app === app && settings[kind].mail === mail,
    `the settings of ${kind}`,
  );
}

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const)
  test(`a kind of notification is turned off at once (${'isMobile' in options ? 'phone' : 'desktop'})`, async () => {
    const person = await holdall.register('quiet');
    const visit = await begin(options);
    const { page } = await visit.logIn(person, PAGE);
    const inApp = page.getByRole('switch', {
      name: 'In app: Files arrive through your links',
      exact: true,
    });
    const byMail = page.getByRole('switch', {
      name: 'By mail: Files arrive through your links',
      exact: true,
    });
    await page.getByText('Mails go only to a verified address.').waitFor();
    await visit.checkAccessible();
    const header = await page.getByRole('banner').boundingBox();
    const title = await page.getByRole('heading', { name: 'Notifications', exact: true }).boundingBox();
    assert(header && title && title.y >= header.y + header.height, 'the header hides the heading');
    assert.ok(await inApp.isChecked());
    // The second change must not undo the first one, whose answer may still be on its way.
    await inApp.press('Space');
    await byMail.locator('..').locator('.mantine-Switch-track').click();
    await untilSaved(person, 'LINK_FILES', false, false);
    assert.deepEqual([await inApp.isChecked(), await byMail.isChecked()], [false, false]);
    const security = page.getByRole('row', { name: 'New logins, and changes to how you log in' });
    await security.getByText('Always', { exact: true }).waitFor();
    assert.equal(await security.getByRole('switch').count(), 1);
    assert.equal(await page.getByRole('row', { name: 'The server needs attention' }).count(), 0);
  });

test('a change that fails is reported, and the page shows what is saved', async () => {
  const person = await holdall.register('quiet');
  const { page } = await (await begin()).logIn(person, PAGE);
  const inApp = page.getByRole('switch', { name: 'In app: A task fails', exact: true });
  await inApp.waitFor();
  await page.route(`**${SETTINGS}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await inApp.press('Space');
  await page.getByRole('alert').waitFor();
  await waitFor(
    () => inApp.isChecked(),
    (isChecked) => isChecked,
    'the saved setting',
  );
  await page.unroute(`**${SETTINGS}`);
  await inApp.press('Space');
  await untilSaved(person, 'TASK_FAILED', false, false);
});

test(
  'without mail, only the app can be chosen, and administrators also hear of the server',
  inFull,
  async () => {
    const silent = await startHoldall();
    const visit = await Visit.begin(browser, silent);
    watch(visit);
    const { page } = await visit.logIn(await silent.admin(), PAGE);
    await page.getByText('This server sends no mail.', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'The server needs attention' }).waitFor();
    assert.ok(await page.getByRole('switch', { name: 'By mail: A task fails', exact: true }).isDisabled());
    assert.ok(await page.getByRole('switch', { name: 'In app: A task fails', exact: true }).isEnabled());
    assert.equal(await page.getByRole('switch', { name: 'Notify this device' }).count(), 0);
    await visit.checkAccessible();
  },
);
