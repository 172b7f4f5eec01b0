// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

for (const [device, options] of [
  ['laptop', {}],
  ['phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`files that came together are one group on a ${device}`, async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/old.txt', 'before');
    await holdall.app.database.transact(async (tx) => {
      await sql`update entry set created_at = created_at - 3600000, updated_at = updated_at - 3600000`.execute(
        tx,
      );
    });
    for (let number = 1; number <= 6; number += 1)
      await alice.upload(`/Holiday/Day ${number % 2}/${number}.txt`, 'x');
    visit = await (await begin(options)).logIn(alice, '/recent');
    const { page } = visit;
    const head = page.getByRole('rowheader', { name: /^6 files added to “Holiday”/ });
    await head.waitFor();
    await row(page, '6.txt').waitFor();
    await row(page, 'old.txt').waitFor();
    assert.equal(await row(page, '1.txt').count(), 0);
    assert.equal(await page.getByRole('rowheader').count(), 1, 'a file that came alone has no heading');
    const boxOf = async (name: string) => (await row(page, name).boundingBox()) ?? assert.fail(name);
    const [last, alone] = [await boxOf('4.txt'), await boxOf('old.txt')];
    assert.ok(alone.y - last.y - last.height >= 16, 'a gap separates it from the group');
    await visit.checkAccessible();
    await head.getByRole('button', { name: /Show all/ }).click();
    await row(page, '1.txt').waitFor();
    // The keys go through the files, past the headings.
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
    assert.match(await page.locator(`#${active}`).innerText(), /1\.txt/);
    await visit.checkAccessible();
    // A new file joins the group, which stays open.
    await alice.upload('/Holiday/7.txt', 'x');
    await page.getByRole('rowheader', { name: /^7 files added to “Holiday”/ }).waitFor();
    await row(page, '1.txt').waitFor();
    await page.getByRole('button', { name: /Show fewer/ }).click();
    await row(page, '1.txt').waitFor({ state: 'detached' });
    await row(page, '7.txt').waitFor();
  });
}

test('a name being typed survives when its group closes', async () => {
  const alice = await holdall.register('alice');
  for (let number = 1; number <= 4; number += 1) await alice.upload(`/Holiday/${number}.txt`, 'x');
  visit = await (await begin()).logIn(alice, '/recent');
  const { page } = visit;
  await row(page, '1.txt').getByText('Holiday').first().waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('F2');
  const field = page.getByLabel('New name');
  await field.fill('first.txt');
  await alice.upload('/Holiday/5.txt', 'x');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Show all/ }).click();
  await field.waitFor();
  assert.equal(await field.inputValue(), 'first.txt');
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('the mouse draws a rectangle that selects files of several groups', async () => {
  const alice = await holdall.register('alice');
  await alice.upload('/old.txt', 'before');
  await holdall.app.database.transact(async (tx) => {
    await sql`update entry set created_at = created_at - 3600000, updated_at = updated_at - 3600000`.execute(
      tx,
    );
  });
  for (const name of ['1.txt', '2.txt']) await alice.upload(`/Holiday/${name}`, 'x');
  visit = await (await begin()).logIn(alice, '/recent');
  const { page } = visit;
  await row(page, 'old.txt').waitFor();
  const boxOf = async (name: string) => (await row(page, name).boundingBox()) ?? assert.fail(name);
  const [first, old] = [await boxOf('1.txt'), await boxOf('old.txt')];
  const selected = () => page.getByRole('row', { selected: true }).count();
  await page.mouse.move(old.x + 300, old.y + old.height + 40);
  await page.mouse.down();
  await page.mouse.move(old.x + 200, old.y + old.height / 2, { steps: 5 });
  await waitFor(selected, (now) => now === 1, 'the touched file');
  await page.mouse.move(old.x + 200, first.y + first.height / 2, { steps: 5 });
  await waitFor(selected, (now) => now === 2, 'the larger rectangle');
  await page.mouse.up();
  await page.getByText('2 selected').waitFor();
  assert.equal(await row(page, '2.txt').getAttribute('aria-selected'), 'false');
  await page.mouse.click(old.x + 300, old.y + old.height + 40);
  await waitFor(selected, (now) => now === 0, 'a click beside the files');
});
