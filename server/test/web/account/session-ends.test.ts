// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { LoginSessionRecord } from '../../../src/app/contract.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const DAY = 86_400_000;

const { holdall, begin } = await startVisits();

/** A user with the page open, and another device of the same user. */
async function open(name: string, options: VisitOptions = {}) {
  const person = await holdall.register(name);
  const other = await person.with(undefined).logInAt(randomUUID());
  const visit = await (await begin(options)).logIn(person);
  await visit.page.getByRole('heading', { name: /My files|我的文件/ }).waitFor();
  return { person, other, visit, page: visit.page };
}

/** Asserts that the login page shows the text, and that the user can log in again. */
async function assertReason(visit: Visit, text: string): Promise<void> {
  await visit.page.waitForURL('**/login**');
  await visit.page.getByText(text).waitFor();
  await visit.checkAccessible();
}

async function setBanned(person: Person, banned: boolean): Promise<void> {
  const admin = await holdall.admin();
  await admin.ask('PATCH', `/api/admin/users/${person.id}/status`, { body: { banned } });
}

test('the login page says that the session was ended from the list of devices', async () => {
  const { other, visit, page } = await open('lena');
  const sessions = await other.ask<LoginSessionRecord[]>('GET', '/api/user/sessions');
  const here = sessions.find(({ current }) => !current) ?? assert.fail();
  await other.ask('DELETE', `/api/user/sessions/${here.id}`);
  // Without a reload: the page learns it from its event stream.
  await assertReason(visit, 'You were logged out here from another device.');
  await page.reload();
  await assertReason(visit, 'You were logged out here from another device.');
});

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  const kind = 'isMobile' in options ? 'a phone, dark' : 'a laptop';
  test(`on ${kind}: the login page says that the password was changed elsewhere`, async () => {
    const { other, visit } = await open('mona', options);
    const body = { currentPassword: PASSWORD, newPassword: 'a password quite unlike it' };
    await other.ask('POST', '/api/user/password', { body });
    await assertReason(visit, 'Your password has changed.');
  });
}

test('the login page says that an administrator has disabled the account', async () => {
  const { person, visit } = await open('nils');
  await setBanned(person, true);
  await assertReason(visit, 'This account is blocked.');
});

test('the login page says that the session was not used for a long time', async () => {
  const { visit, page } = await open('olga');
  holdall.clock.advance(15 * DAY);
  // Lets the session in the browser expire as well. The page may already have noticed the end and removed it.
  await page.evaluate(`{
    const stored = localStorage.getItem('holdall.session');
    if (stored !== null) {
      localStorage.setItem('holdall.session', JSON.stringify({ ...JSON.parse(stored), expiresAt: 0 }));
    }
  }`);
  await page.reload();
  await assertReason(visit, 'after a long time without use');
});

test('the reason is in Chinese if the page is', async () => {
  const { other, visit } = await open('ping', { locale: 'zh-CN' });
  const body = { currentPassword: PASSWORD, newPassword: 'a password quite unlike it' };
  await other.ask('POST', '/api/user/password', { body });
  await assertReason(visit, '密码已更改');
});
