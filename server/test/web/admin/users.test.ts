// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { AdminInvite } from '../../../src/app/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { applicationOf, type Listing, Person } from '../../support/app/person.ts';
import { setUpTotp } from '../../support/app/second-factor.ts';
import { addPasskey } from '../../support/app/software-authenticator.ts';
import { setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const { view, chief, moderator, banned } = await setAdminScene(holdall);
const browser = await startBrowser();

async function find(page: Page, person: Person): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find user' }).fill(person.username);
  await page.getByText('1–1 of 1').waitFor();
}

async function choose(page: Page, person: Person, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${person.username}` }).click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
}

async function offered(page: Page, person: Person): Promise<readonly string[]> {
  await find(page, person);
  await page.getByRole('button', { name: `Actions for ${person.username}` }).click();
  // The menu handles the key when it has the focus.
  await page.locator('[role=menuitem]:focus').waitFor();
  const items = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return items;
}

const SEEN = ['Their files', 'Their shares', 'Their audit log'];
const DONE = ['Change role', 'Quota and limits', 'Set password', 'Reset password', 'Block', 'Delete account'];

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `the list of users is filtered by a role, which stays in the address, on ${device}`,
    inFull,
    async () => {
      const visit = await Visit.begin(browser, holdall, options);
      const { page } = visit;
      await visit.logIn(chief, '/admin/users');
      const listed = (person: Person) => page.getByRole('button', { name: person.username, exact: true });
      await listed(banned).waitFor();
      await page.getByLabel('Role', { exact: true }).selectOption('Moderator');
      await listed(banned).waitFor({ state: 'detached' });
      await listed(moderator).waitFor();
      await visit.checkAccessible();
      await page.reload();
      await listed(moderator).waitFor();
      assert.equal(await page.getByLabel('Role', { exact: true }).inputValue(), 'MODERATOR');
      assert.equal(await listed(banned).count(), 0);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await listed(banned).waitFor();
      visit.checkClean();
    },
  );
}

describe('an admin', () => {
  test('finds a user and changes their role and limits', async () => {
    const bob = await holdall.register('bob');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await find(page, bob);
    await choose(page, bob, 'Change role');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Admin' }).waitFor();
    await dialog.getByRole('radio', { name: 'Moderator' }).check();
    await visit.checkAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: bob.username }).getByText('Moderator').waitFor();
    await choose(page, bob, 'Quota and limits');
    const [quota, unit] = [
      dialog.getByLabel('Storage quota', { exact: true }),
      dialog.getByLabel('Unit for Storage quota'),
    ];
    // 50 GiB. The exact number of bytes is kept as long as the shown number is not edited.
    assert.deepEqual([await quota.inputValue(), await unit.inputValue()], ['53.687', 'GB']);
    await quota.fill('2');
    await unit.selectOption('TB');
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).isEnabled(), true);
    await quota.fill('53.687');
    await unit.selectOption('GB');
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).isEnabled(), false);
    await quota.fill('2');
    await dialog.getByLabel('Largest upload', { exact: true }).fill('100');
    await dialog.getByLabel('Unit for Largest upload').selectOption('MB');
    assert.equal(await dialog.getByLabel('Maximum files and folders').inputValue(), '1,000,000');
    await dialog.getByLabel('Maximum files and folders').fill('2000');
    await visit.checkAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('0 bytes of 2 GB used').waitFor();
    const [now] = (await view.users({ query: bob.username })).items;
    assert.deepEqual(
      [now?.role, now?.storageQuotaBytes, now?.maxUploadSizeBytes, now?.maxEntries],
      ['MODERATOR', 2_000_000_000, 100_000_000, 2_000],
    );
    await page.getByRole('button', { name: bob.username, exact: true }).click();
    await page.getByRole('dialog').getByText(`${bob.username}@example.org`).waitFor();
    await page.getByRole('dialog').getByText('3 of 2,000', { exact: true }).waitFor();
    visit.checkClean();
  });

  test('sees who has second factors, and resets them', inFull, async () => {
    const dan = await holdall.register('dan');
    await setUpTotp(dan, holdall.clock);
    await addPasskey(dan);
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await find(page, dan);
    await page.getByRole('button', { name: dan.username, exact: true }).click();
    await page.getByText('Set up', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, dan, 'Reset second factors');
    await visit.checkAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset second factors' }).click();
    await page.getByText(`Reset the second factors of ${dan.username}.`).waitFor();
    await dan.logIn();
    assert(!(await offered(page, dan)).includes('Reset second factors'));
    visit.checkClean();
  });

  test('resets a password, which then works', inFull, async () => {
    const carl = await holdall.register('carl');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await find(page, carl);
    await choose(page, carl, 'Reset password');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    const shown = page.getByRole('group', { name: 'Temporary password' });
    const password = await shown.innerText();
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    const other = await Visit.begin(browser, holdall);
    await logInWith(other, carl, password);
    visit.checkClean();
    other.checkClean();
  });

  test('sets a password, which then works', inFull, async () => {
    const dora = await holdall.register('dora');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await find(page, dora);
    await choose(page, dora, 'Set password');
    await page.getByLabel('New password', { exact: true }).fill('a few unusual words');
    await visit.checkAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click();
    await page.getByText(`Set a new password for ${dora.username}.`).waitFor();
    const other = await Visit.begin(browser, holdall);
    await logInWith(other, dora, 'a few unusual words');
    visit.checkClean();
    other.checkClean();
  });

  for (const [where, options] of [
    ['a large screen', {}],
    ['a phone', PHONE],
  ] as const) {
    test(`sees the single sign-on of a user and deletes it, on ${where}`, inFull, async () => {
      const zoe = await holdall.register('zoe');
      const issuer = 'https://id.example.org/realms/home';
      const { database } = holdall.app;
      await database.transact(async (tx) => {
        const identity = { account_id: zoe.id, issuer, created_at: holdall.clock.now() };
        for (const number of [1, 2]) {
          const subject = `${zoe.username}-${number}`;
          await tx
            .insertInto('identity')
            .values({ ...identity, subject })
            .execute();
        }
        await tx.updateTable('account').set({ password_hash: null }).where('id', '=', zoe.id).execute();
      });
      const visit = await Visit.begin(browser, holdall, options);
      const { page } = visit;
      await visit.logIn(chief, '/admin/users');
      await find(page, zoe);
      await page.getByRole('button', { name: zoe.username, exact: true }).click();
      const drawer = page.getByRole('dialog', { name: zoe.username, exact: true });
      await drawer.getByText(issuer).first().waitFor();
      await visit.checkAccessible();
      const deletion = drawer.getByRole('button', { name: `Delete ${issuer}` });
      const question = page.getByRole('dialog', { name: `Delete the single sign-on ${issuer}` });
      await deletion.first().click();
      await question.getByText('It can no longer be used to log in to this account.').waitFor();
      assert.equal(await question.getByText('No one can log in to it until you set a password').count(), 0);
      await question.getByRole('button', { name: 'Delete' }).click();
      await question.waitFor({ state: 'detached' });
      await deletion.click();
      await question.getByText('No one can log in to it until you set a password').waitFor();
      await visit.checkAccessible();
      await question.getByRole('button', { name: 'Delete' }).click();
      await question.waitFor({ state: 'detached' });
      await deletion.waitFor({ state: 'detached' });
      await page.getByText(`Deleted the single sign-on of ${zoe.username}.`).first().waitFor();
      assert.deepEqual((await view.users({ query: zoe.username })).items[0]?.identities, []);
      const { items } = await view.audits({ actionType: 'DELETE_IDENTITY', targetId: zoe.id });
      assert.equal(items.length, 2);
      visit.checkClean();
    });
  }

  test('bans a user, who is logged out, and lifts the ban', inFull, async () => {
    const eve = await holdall.register('eve');
    const other = await Visit.begin(browser, holdall);
    await other.logIn(eve);
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await find(page, eve);
    await choose(page, eve, 'Block');
    await visit.checkAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByRole('row', { name: eve.username }).getByText('Blocked', { exact: true }).waitFor();
    await other.page.reload();
    await other.page.waitForURL('**/login**');
    await other.page.getByLabel('Username').fill(eve.username);
    await other.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await other.page.getByRole('button', { name: 'Log in' }).click();
    await other.page.getByRole('alert').waitFor();
    await choose(page, eve, 'Unblock');
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await page.getByText(`Unblocked ${eve.username}.`).waitFor();
    await other.page.getByRole('button', { name: 'Log in' }).click();
    await other.page.waitForURL(/\/drive\b/);
    visit.checkClean();
    other.checkClean();
  });
});

describe('actions that would be rejected are not offered', () => {
  test('an admin can do everything, except to themselves', inFull, async () => {
    const visit = await Visit.begin(browser, holdall);
    await visit.logIn(chief, '/admin/users');
    assert.deepEqual(await offered(visit.page, moderator), [...DONE, ...SEEN]);
    assert.deepEqual(await offered(visit.page, chief), ['Quota and limits', ...SEEN]);
    assert.deepEqual(await offered(visit.page, banned), [...DONE.with(-2, 'Unblock'), ...SEEN]);
    visit.checkClean();
  });

  test('a moderator can neither change an admin nor make one', inFull, async () => {
    const frank = await holdall.register('frank');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(moderator, '/admin/users');
    assert.deepEqual(await offered(page, chief), SEEN);
    assert.deepEqual(await offered(page, frank), [...DONE, ...SEEN]);
    await choose(page, frank, 'Change role');
    const radios = page.getByRole('dialog').getByRole('radio');
    await radios.first().waitFor();
    assert.equal(await radios.count(), 2);
    await page.getByRole('radio', { name: 'Moderator' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: frank.username }).getByText('Moderator').waitFor();
    visit.checkClean();
  });
});

test('on a phone a user can be banned with one thumb', inFull, async () => {
  const greg = await holdall.register('greg');
  const visit = await Visit.begin(browser, holdall, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    colorScheme: 'dark',
  });
  const { page } = visit;
  await visit.logIn(chief, '/admin/users');
  await find(page, greg);
  const button = page.getByRole('button', { name: `Actions for ${greg.username}` });
  const box = await button.boundingBox();
  assert.ok(box && box.width >= 40 && box.height >= 40);
  await button.tap();
  await page.getByRole('menuitem', { name: 'Block' }).tap();
  await visit.checkAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).tap();
  await page
    .getByRole('listitem')
    .filter({ hasText: greg.username })
    .getByText('Blocked', { exact: true })
    .waitFor();
  visit.checkClean();
});

async function logInWith(visit: Visit, person: Person, password: string): Promise<void> {
  await visit.page.goto('/login');
  await visit.page.getByLabel('Username').fill(person.username);
  await visit.page.getByLabel('Password', { exact: true }).fill(password);
  await visit.page.getByRole('button', { name: 'Log in' }).click();
  await visit.page.waitForURL(/\/drive\b/);
}

test('a moderator creates an account, with a password that is shown once', inFull, async () => {
  const visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await visit.logIn(moderator, '/admin/users');
  await page.getByRole('button', { name: 'Create account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create account' });
  const create = dialog.getByRole('button', { name: 'Create', exact: true });
  await create.click();
  await dialog.getByText('Fill in this field.').nth(2).waitFor();
  await visit.checkAccessible();
  await dialog.getByLabel('Username').fill(chief.username);
  await dialog.getByLabel('E-mail').fill('nora@example.org');
  await dialog.getByLabel('Phone number').fill('+49 170 5550101');
  await create.click();
  await dialog.getByRole('alert').getByText('This username is taken.').waitFor();
  assert.equal(await dialog.getByLabel('Username').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Username').fill('nora');
  await create.click();
  const shown = page.getByRole('dialog', { name: 'Temporary password for nora' });
  const password = (await shown.getByRole('group', { name: 'Temporary password' }).textContent()) ?? '';
  await visit.checkAccessible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: 'nora' }).waitFor();
  const nora = await new Person('nora', holdall.url).logIn(password);
  assert.equal(nora.login?.mustChangePassword, true);
  visit.checkClean();
});

test('an admin creates an invite, whose link admits as many people as it has uses, and deletes it', async () => {
  const visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(chief, '/admin/invites');
  await page.getByText('For the family').waitFor();
  await page.getByRole('button', { name: 'Create invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create invite' });
  await dialog.getByLabel('Note').fill('For the choir');
  await dialog.getByLabel('Number of people').fill('2');
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Created the invite.').waitFor();
  const created = page.getByRole('dialog', { name: 'Share invite' });
  const link = await created.getByLabel('Link', { exact: true }).inputValue();
  assert.match(link, /\/register\?code=/);
  assert.ok((await created.getByLabel('Text for a message').inputValue()).endsWith(link));
  await visit.checkAccessible();
  await page.keyboard.press('Escape');
  await created.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: 'For the choir' });
  await row.getByText('0 / 2').waitFor();
  await visit.checkAccessible();
  const [invite] = (await chief.ask<Listing<AdminInvite>>('GET', '/api/admin/invites')).items;
  assert.deepEqual([invite?.note, invite?.uses], ['For the choir', 2]);
  const left = Date.parse(invite?.expiresAt ?? '') - holdall.clock.now();
  assert.ok(Math.abs(left - 7 * 86_400_000) < 600_000);
  await new Person('singer', holdall.url).register(invite?.code ?? '');
  await page.reload();
  await row.getByText('1 / 2').waitFor();
  await row.getByText('Valid', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Delete invite For the choir' }).click();
  const question = page.getByRole('dialog', { name: 'Delete invite For the choir' });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted the invite.').waitFor();
  await row.waitFor({ state: 'detached' });
  await holdall.anonymous.refused(400, 1003, 'POST', '/api/auth/register', {
    body: applicationOf('latecomer', invite?.code ?? ''),
  });
  visit.checkClean();
});
