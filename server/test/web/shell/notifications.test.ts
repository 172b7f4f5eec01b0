// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { NotificationKind } from '../../../src/base/domain/notifications.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { notify, SAMPLES } from '../../support/notifications/notify.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

/** A new user on a page that follows the events of the drive. */
async function follow(options: VisitOptions = {}) {
  const person = await holdall.register('bell');
  const visit = await begin(options);
  const isFollowing = visit.context.waitForEvent('response', (response) =>
    new URL(response.url()).pathname.endsWith('/files/events'),
  );
  await visit.logIn(person);
  await row(visit.page, 'Documents').waitFor();
  await isFollowing;
  return { person, page: visit.page, visit };
}

function bell(page: Page, count: number) {
  const name = count === 0 ? 'Notifications' : `${count} unread notification${count === 1 ? '' : 's'}`;
  return page.getByRole('banner').getByRole('button', { name, exact: true });
}

function panel(page: Page) {
  return page.getByRole('dialog', { name: 'Notifications', exact: true });
}

/** The link of a notification. Its name begins with a word while it is unread. */
function item(page: Page, sentence: string, { isUnread = false } = {}) {
  const name = isUnread ? `Unread: ${sentence}` : sentence;
  return panel(page).getByRole('link', { name, exact: true });
}

describe('the bell', () => {
  test('counts what arrives while the page is open, and what another tab reads', async () => {
    const { person, page, visit } = await follow();
    const other = await visit.context.newPage();
    await other.goto('/recent');
    await bell(other, 0).waitFor();
    await notify(holdall, person, 'TRANSFER_FETCHED', { files: 1 });
    await Promise.all([bell(page, 1).waitFor(), bell(other, 1).waitFor()]);
    await bell(page, 1).click();
    const sentence = 'Your transfer of “report.pdf” was picked up.';
    await item(page, sentence, { isUnread: true }).waitFor();
    await visit.checkAccessible();
    await notify(holdall, person, 'DRIVE_FULL', { driveName: null });
    await item(page, 'Your drive is almost full.', { isUnread: true }).waitFor();
    await panel(page).getByText('950 MB of 1 GB used').waitFor();
    await bell(other, 2).waitFor();

    await panel(page)
      .getByRole('button', { name: `Mark as read: ${sentence}`, exact: true })
      .click();
    await item(page, sentence).waitFor();
    await Promise.all([bell(page, 1).waitFor(), bell(other, 1).waitFor()]);
    await panel(page).getByRole('button', { name: 'Mark all as read', exact: true }).click();
    await Promise.all([bell(page, 0).waitFor(), bell(other, 0).waitFor()]);
    await item(page, 'Your drive is almost full.').waitFor();
    await other.close();
  });

  test('shows 99+ for more than 99, and older notifications on demand', inFull, async () => {
    const person = await holdall.register('bell');
    for (let index = 0; index < 101; index += 1)
      await notify(holdall, person, 'TRANSFER_FETCHED', { files: 1, fileName: `${index}.txt` });
    const { page } = await (await begin()).logIn(person);
    await page.getByRole('banner').getByText('99+', { exact: true }).waitFor();
    await bell(page, 101).click();
    const items = panel(page).getByRole('listitem');
    const count = (expected: number) =>
      waitFor(
        () => items.count(),
        (found) => found === expected,
        `${expected} notifications`,
      );
    await count(20);
    // The page shifts by one, and still lists each notification once.
    await notify(holdall, person, 'TRANSFER_FETCHED', { files: 1, fileName: 'last.txt' });
    await item(page, 'Your transfer of “last.txt” was picked up.', { isUnread: true }).waitFor();
    const older = (url: URL) =>
      url.pathname === '/api/v2/notifications' && url.searchParams.get('page') === '1';
    await page.route(older, (route) => route.fulfill({ status: 400, body: '' }));
    await panel(page).getByRole('button', { name: 'Show older', exact: true }).click();
    await panel(page).getByRole('alert').waitFor();
    await page.unroute(older);
    await panel(page).getByRole('button', { name: 'Show older', exact: true }).click();
    await count(40);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await bell(page, 102).click();
    await count(20);
  });

  test('shows a notification as unread again if marking it fails', async () => {
    const { person, page } = await follow();
    await notify(holdall, person, 'DRIVE_FULL', { driveName: null });
    await bell(page, 1).click();
    const unread = item(page, 'Your drive is almost full.', { isUnread: true });
    await unread.waitFor();
    await page.route('**/api/v2/notifications/read', (route) => route.fulfill({ status: 503, body: '' }));
    await panel(page).getByRole('button', { name: 'Mark all as read', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await unread.waitFor();
    await bell(page, 1).waitFor();
  });

  test('is used with the keyboard, and gets the focus back', async () => {
    const { person, page } = await follow();
    await notify(holdall, person, 'TASK_FAILED', { driveId: person.driveId });
    await notify(holdall, person, 'TRANSFER_FETCHED', { files: 1 });
    await bell(page, 2).focus();
    await page.keyboard.press('Enter');
    await panel(page).waitFor();
    const [newest, older] = [
      item(page, 'Your transfer of “report.pdf” was picked up.', { isUnread: true }),
      item(page, "Couldn't extract an archive.", { isUnread: true }),
    ];
    await older.waitFor();
    await waitFor(
      () =>
        page.evaluate<boolean>("document.querySelector('[role=dialog]').contains(document.activeElement)"),
      (isInside) => isInside,
      'the focus in the panel',
    );
    const isFocused = (link: typeof newest) =>
      waitFor(
        () => link.evaluate((element) => element === element.ownerDocument.activeElement),
        (is) => is,
        'the focus on the link',
      );
    await newest.focus();
    await page.keyboard.press('ArrowDown');
    await isFocused(older);
    await page.keyboard.press('Home');
    await isFocused(newest);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await isFocused(bell(page, 2));
    await page.keyboard.press('Enter');
    await older.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tasks', level: 1, exact: true }).waitFor();
    await bell(page, 1).waitFor();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`fills the screen of a phone, and Back closes it (${colorScheme})`, async () => {
      const { person, page, visit } = await follow({ ...PHONE, colorScheme });
      await notify(holdall, person, 'SECURITY');
      await row(page, 'Documents').getByText('Documents').tap();
      await page.waitForURL('**/drive/Documents');
      await bell(page, 1).tap();
      await item(page, 'New login to your account', { isUnread: true }).waitFor();
      await panel(page).getByText('Chrome on Linux · from 192.0.2.7').waitFor();
      await visit.checkAccessible();
      const box = await panel(page).boundingBox();
      assert.deepEqual([box?.x, box?.width], [0, 360]);
      await page.goBack();
      await panel(page).waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).pathname, '/drive/Documents');
      await bell(page, 1).tap();
      await item(page, 'New login to your account', { isUnread: true }).tap();
      await page.getByRole('heading', { name: 'Security', level: 1, exact: true }).waitFor();
      await bell(page, 0).waitFor();
    });

  test('is empty at first, and leads to the settings', inFull, async () => {
    const { page, visit } = await follow();
    await bell(page, 0).click();
    await page.getByRole('heading', { name: 'No notifications', exact: true }).waitFor();
    await visit.checkAccessible();
    await panel(page).getByRole('link', { name: 'Notification settings', exact: true }).click();
    await page.waitForURL('**/profile/devices#notifications');
  });
});

describe('a notification about received files', () => {
  test('opens the folder, wherever it is now', async () => {
    const { person, page } = await follow();
    const inbox = await person.mkdir('/Inbox');
    await person.upload('/Inbox/sent.txt', 'x');
    const { driveId } = person;
    const place = { driveId, driveName: null, senders: [] };
    await notify(holdall, person, 'LINK_FILES', { ...place, directoryId: inbox.id, files: 1, title: 'Mine' });
    await person.rename(inbox, 'Moved');
    await bell(page, 1).click();
    await item(page, '1 file arrived through “Mine”.', { isUnread: true }).click();
    await row(page, 'sent.txt').waitFor();
    assert.equal(new URL(page.url()).pathname, '/drive/Moved');
    await page.goBack();
    await row(page, 'Moved').waitFor();
  });

  test('opens the drive if the folder is its root or is gone', inFull, async () => {
    const { person, page } = await follow();
    const inbox = await person.mkdir('/Inbox');
    await linkFolder(person, null, { mode: 'UPLOAD' });
    const links = await person.ask<{ items: readonly { directoryId: number }[] }>(
      'GET',
      '/api/v2/folder-links/mine',
    );
    const { driveId } = person;
    const place = { driveId, driveName: null, senders: [], files: 1 };
    const root = links.items[0]?.directoryId ?? 0;
    await notify(holdall, person, 'LINK_FILES', { ...place, directoryId: root, title: 'All' });
    await notify(holdall, person, 'LINK_FILES', { ...place, directoryId: inbox.id, title: 'Lost' });
    await person.recycle(inbox);
    await page.goto('/recent');
    await bell(page, 2).click();
    await item(page, '1 file arrived through “All”.', { isUnread: true }).click();
    await row(page, 'Documents').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await bell(page, 1).click();
    await item(page, '1 file arrived through “Lost”.', { isUnread: true }).click();
    await page.getByRole('alert').getByText('That no longer exists.', { exact: true }).waitFor();
    await row(page, 'Documents').waitFor();
  });
});

const SENTENCES: Readonly<Record<NotificationKind, readonly [en: string, zh: string]>> = {
  DRIVE_MEMBER: ['Ada made you an editor of “Team”.', 'Ada 将您加入“Team”\uff0c角色为编辑者\u3002'],
  LINK_FILES: [
    '3 files from Tom and Ann arrived through “Summer”.',
    '“Summer”收到 Tom和Ann 发来的 3 个文件\u3002',
  ],
  TRANSFER_FETCHED: [
    'Your transfer of “report.pdf” and 2 more files was picked up.',
    '您快传的“report.pdf”等文件已被取走\uff0c另有 2 个\u3002',
  ],
  SHARE_ENDED: ['The share of “plan.txt” has reached its limit.', '“plan.txt”的分享已达下载上限\u3002'],
  SECURITY: ['New login to your account', '您的账号有新的登录'],
  DRIVE_FULL: ['“Team” is almost full.', '“Team”的空间即将用完\u3002'],
  TASK_FAILED: ["Couldn't extract an archive.", '解压失败\u3002'],
  SERVICE_FAULT: ['The backup failed.', '备份失败\u3002'],
};

for (const [index, locale] of (['en-GB', 'zh-CN'] as const).entries())
  test(`every kind of notification has a sentence (${locale})`, async () => {
    const person = await holdall.register('kinds');
    // The keys are the kinds.
    for (const kind of Object.keys(SAMPLES) as NotificationKind[]) await notify(holdall, person, kind);
    const visit = await begin({ locale });
    const { page } = await visit.logIn(person);
    await page
      .getByRole('button', { name: locale === 'zh-CN' ? '8 条未读通知' : '8 unread notifications' })
      .click();
    const unread = locale === 'zh-CN' ? '未读' : 'Unread';
    for (const sentences of Object.values(SENTENCES))
      await page
        .getByRole('dialog')
        .getByRole('link', { name: `${unread}: ${sentences[index]}`, exact: true })
        .waitFor();
    await visit.checkAccessible();
  });
