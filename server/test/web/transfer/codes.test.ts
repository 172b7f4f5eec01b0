// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { checkAccessible, visitTransfer } from '../../support/web/transfer-visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
let visit: Visit;
afterEach(() => visit.checkClean());

test('a mistyped code is explained', async () => {
  visit = await visitTransfer(browser, holdall);
  const field = visit.page.getByLabel('Code');
  await field.pressSequentially('ab1');
  await visit.page.getByText("Codes don't contain 1.").waitFor();
  await checkAccessible(visit);
  assert.ok(await visit.page.getByRole('button', { name: 'Continue' }).isDisabled());
  await field.press('Backspace');
  await field.pressSequentially('c234');
  await visit.page.getByText('No transfer has this code.').waitFor();
  await checkAccessible(visit);
  assert.equal(new URL(visit.page.url()).pathname, '/transfer', 'the page has not changed');
  assert.equal(await field.inputValue(), 'ABC 234');
  await field.press('Backspace');
  await visit.page.getByText('No transfer has this code.').waitFor({ state: 'detached' });
});

test('a pasted link works like its code', async () => {
  const { pickupCode } = await holdall.anonymous.ask<{ pickupCode: string }>(
    'POST',
    '/api/transfer/sessions',
    {
      body: { mode: 'ONLINE', files: [{ name: 'a.txt', size: 1 }] },
    },
  );
  visit = await visitTransfer(browser, holdall);
  await visit.page.getByLabel('Code').fill(`${holdall.url}/transfer/${pickupCode}`);
  await visit.page.getByText('a.txt').waitFor();
});

test('an expired transfer looks like one that never existed', inFull, async () => {
  const { pickupCode } = await holdall.anonymous.ask<{ pickupCode: string }>(
    'POST',
    '/api/transfer/sessions',
    {
      body: { mode: 'ONLINE', files: [{ name: 'a.txt', size: 1 }] },
    },
  );
  holdall.clock.advance(16 * 60_000);
  visit = await visitTransfer(browser, holdall, { address: `/transfer/${pickupCode}` });
  await visit.page.getByText('mistyped or expired').waitFor();
});

test('after too many wrong codes the page says when to try again', inFull, async () => {
  for (let count = 0; count < 20; count += 1) {
    await holdall.anonymous.call('GET', '/api/transfer/sessions/lookup?pickupCode=ZZZZZZ');
  }
  visit = await visitTransfer(browser, holdall, { address: '/transfer/ZZZZZZ' });
  await visit.page.getByText(/Too many wrong codes\. Try again in \d+ (sec|min)/).waitFor();
});
