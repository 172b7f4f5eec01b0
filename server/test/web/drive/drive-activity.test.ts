// tier: full
// runs on: sqlite
// needs: browser
import { describe, test } from 'node:test';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
let visit: Visit;

/** A drive of two people who have changed something, as one of them sees it. */
async function openDrive(options: VisitOptions = {}) {
  const { id } = await createDrive(alice, 'Team', [{ person: bob, role: 'EDITOR' }]);
  const [ours, theirs] = [inDrive(alice, id), inDrive(bob, id)];
  const plan = await ours.upload('/Plans/plan.txt', 'first');
  await ours.mkdir('/Other');
  await theirs.rename(plan, 'better.txt');
  const old = await theirs.upload('/old.txt', 'x');
  await theirs.ask('DELETE', `/api/files/${old.id}`);
  visit = await begin(options);
  await visit.logIn(alice, `/drives/${id}/files`);
  const { page } = visit;
  await row(page, 'Plans').waitFor();
  return { theirs, page, renamed: `${bob.username} renamed “plan.txt” to “better.txt”` };
}

describe('the activity of a shared drive', () => {
  for (const settings of [{}, { colorScheme: 'dark', ...PHONE }] as const) {
    test(`says who changed what, ${'colorScheme' in settings ? 'on a phone' : 'on a desktop'}`, async () => {
      const { theirs, page, renamed } = await openDrive(settings);
      await page.getByRole('button', { name: 'Activity' }).click();
      const panel = page.getByRole('dialog', { name: 'Activity in “Team”' });
      await panel.getByText(renamed).waitFor();
      await panel.getByText(`${bob.username} moved “old.txt” to the bin`).waitFor();
      await panel.getByText(`${alice.username} added 2 items to “Team”`).waitFor();
      await visit.checkAccessible();
      await theirs.mkdir('/New');
      await panel.getByText(`${bob.username} added 2 items to “Team”`).waitFor();
      await panel.getByRole('listitem').filter({ hasText: renamed }).getByRole('link').click();
      await page.waitForURL('**/files/Plans**');
      await row(page, 'better.txt').waitFor();
    });
  }

  test('is listed for a folder, and the details say who changed a file last', async () => {
    const { page, renamed } = await openDrive({ viewport: { width: 1280, height: 800 } });
    await row(page, 'Plans').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Activity' }).click();
    const panel = page.getByRole('dialog', { name: 'Activity in “Plans”' });
    await panel.getByText(renamed).waitFor();
    await panel.getByText('old.txt').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await row(page, 'Plans').dblclick();
    await row(page, 'better.txt').click();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText(`${bob.username}, `).waitFor();
    await details.getByRole('link', { name: 'Team / Plans' }).waitFor();
    await visit.checkAccessible();
  });
});
