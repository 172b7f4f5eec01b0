// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { createAppPassword } from '../../support/app/app-passwords.ts';
import { setUpTotp } from '../../support/app/second-factor.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const keepsFirstSteps = true;

const stepsOn = ({ page }: Visit) => page.getByRole('region', { name: /First steps|You're all set/ });

describe('the list of first steps', () => {
  test('ticks each step by itself, stays until all are done, and is gone afterwards', async () => {
    const ann = await holdall.register('ann');
    const visit = await begin();
    const { page } = await visit.logIn(ann, '/drive', { keepsFirstSteps });
    const steps = stepsOn(visit);
    await steps.getByText('0 of 4 done').waitFor();
    await visit.checkAccessible();
    const top = async () => (await page.getByRole('grid').boundingBox())?.y;
    // The folders of a new account.
    await row(page, 'Documents').waitFor();
    const before = await top();
    await ann.upload('/letter.txt', 'Dear all');
    await row(page, 'letter.txt').waitFor();
    await steps.getByRole('button', { name: 'Add your first files (done)' }).waitFor();
    assert.equal(await top(), before);
    await row(page, 'letter.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Create link/ })
      .click();
    await page.getByText('2 of 4 done').waitFor();
    await page.keyboard.press('Escape');
    await steps.getByRole('link', { name: 'Share a link (done)' }).waitFor();
    await steps.getByRole('link', { name: 'Connect a device' }).click();
    await page.waitForURL('**/connect');
    await createAppPassword(ann);
    await page.goto('/drive');
    await steps.getByText('3 of 4 done').waitFor();
    await steps.getByRole('link', { name: 'Protect your login' }).click();
    await page.waitForURL('**/profile/security#security');
    await setUpTotp(ann, holdall.clock);
    await page.goto('/drive');
    const hidden = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('heading', { name: "You're all set" }).waitFor();
    await visit.checkAccessible();
    await row(page, 'letter.txt').waitFor();
    assert.equal(await top(), before, 'the list of files does not move');
    await hidden;
    const next = await begin();
    await next.logIn(ann, '/drive', { keepsFirstSteps });
    await row(next.page, 'letter.txt').waitFor();
    assert.equal(await stepsOn(next).count(), 0);
  });

  test('is hidden for good on every device, and leads an administrator to the invites', async () => {
    const admin = await holdall.admin();
    const [visit, phone] = [await begin(), await begin({ ...PHONE, colorScheme: 'dark' })];
    await visit.logIn(admin, '/drive', { keepsFirstSteps });
    await phone.logIn(admin, '/drive', { keepsFirstSteps });
    await stepsOn(phone)
      .getByText(/of 5 done/)
      .waitFor();
    await phone.checkAccessible();
    assert.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 360);
    await stepsOn(phone).getByRole('link', { name: 'Invite someone' }).click();
    await phone.page.waitForURL('**/admin/invites');
    await stepsOn(visit).getByRole('button', { name: 'Hide first steps' }).click();
    await stepsOn(visit).waitFor({ state: 'detached' });
    assert.equal(await visit.page.evaluate('document.activeElement.id'), 'content');
    await phone.logIn(admin, '/drive', { keepsFirstSteps });
    await phone.page.getByRole('grid').waitFor();
    assert.equal(await stepsOn(phone).count(), 0);
  });

  test('is only on the page of the own drive', inFull, async () => {
    const visit = await begin();
    const cleo = await holdall.register('cleo');
    await cleo.ask('POST', '/api/files/mkdir', { body: { path: '/Trip' } });
    const { page } = await visit.logIn(cleo, '/drive', { keepsFirstSteps });
    await stepsOn(visit).waitFor();
    await page.goto('/drive/Trip');
    await page.getByText('This folder is empty').waitFor();
    assert.equal(await stepsOn(visit).count(), 0);
  });
});
