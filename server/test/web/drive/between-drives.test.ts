// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ holdall: { env: { HOLDALL_MAX_SHARED_DRIVES: '100' } } });
const owner = await holdall.register('owner');
let visit: Visit;

/** A user with a few files, an editor of the drive Team and a viewer of the drive Archive. */
async function openFiles(options: VisitOptions = {}, address = '/drive/Work') {
  const alice = await holdall.register('alice');
  for (const name of ['a.txt', 'b.txt']) await alice.upload(`/Work/${name}`, name);
  const team = await createDrive(owner, 'Team', [{ person: alice, role: 'EDITOR' }]);
  const archive = await createDrive(owner, 'Archive', [{ person: alice, role: 'VIEWER' }]);
  await inDrive(owner, team.id).mkdir('/Plans');
  await inDrive(owner, archive.id).upload('/old.txt', 'old');
  visit = await begin(options);
  await visit.logIn(alice, address.replace('ARCHIVE', String(archive.id)).replace('TEAM', String(team.id)));
  return { alice, inTeam: inDrive(alice, team.id), team, page: visit.page };
}

async function openPicker(page: Page, name: string, action: string, title: string) {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action }).click();
  const picker = page.getByRole('dialog', { name: title });
  await picker.waitFor();
  return picker;
}

describe('entries', () => {
  for (const settings of [{}, { colorScheme: 'dark', ...PHONE }] as const) {
    test(`are moved to another drive and back, ${'colorScheme' in settings ? 'on a phone' : 'on a desktop'}`, async () => {
      const { alice, inTeam, page } = await openFiles(settings);
      const picker = await openPicker(page, 'a.txt', 'Move to…', 'Move “a.txt” to');
      await picker.getByRole('button', { name: 'Drives' }).click();
      const drives = picker.getByRole('list', { name: 'Drives' });
      await drives.getByRole('button', { name: 'Team' }).waitFor();
      assert.deepEqual(await drives.getByRole('button').allTextContents(), ['My files', 'Team']);
      await visit.checkAccessible();
      await drives.getByRole('button', { name: 'Team' }).click();
      await picker.getByRole('button', { name: 'Plans' }).click();
      await visit.checkAccessible();
      await picker.getByRole('button', { name: 'Move here' }).click();
      await page.getByText('Moved “a.txt” to “Plans”.').waitFor();
      await untilNames(inTeam, '/Plans', ['a.txt']);
      await untilNames(alice, '/Work', ['b.txt']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await row(page, 'a.txt').waitFor();
      await untilNames(alice, '/Work', ['a.txt', 'b.txt']);
      await untilNames(inTeam, '/Plans', []);
    });
  }

  test('are copied to the root of another drive, and the notice leads there', async () => {
    const { alice, inTeam, page } = await openFiles();
    const picker = await openPicker(page, 'a.txt', 'Copy to…', 'Copy “a.txt” to');
    await picker.getByRole('button', { name: 'Drives' }).click();
    await picker.getByRole('button', { name: 'Team' }).click();
    await picker.getByRole('button', { name: 'Plans' }).waitFor();
    await picker.getByRole('button', { name: 'Copy here' }).click();
    await page.getByText('Copied “a.txt” to “Team”.').waitFor();
    await page.getByRole('button', { name: 'Open folder' }).click();
    await page.waitForURL('**/drives/*/files**');
    await row(page, 'a.txt').waitFor();
    await untilNames(alice, '/Work', ['a.txt', 'b.txt']);
    await untilNames(inTeam, '/', ['Plans', 'a.txt']);
  });

  test('ask about a name that is taken in the other drive', async () => {
    const { inTeam, page } = await openFiles();
    await inTeam.upload('/Plans/a.txt', 'another');
    const picker = await openPicker(page, 'a.txt', 'Move to…', 'Move “a.txt” to');
    await picker.getByRole('button', { name: 'Drives' }).click();
    await picker.getByRole('button', { name: 'Team' }).click();
    await picker.getByRole('button', { name: 'Plans' }).click();
    await picker.getByRole('button', { name: 'Move here' }).click();
    const question = page.getByRole('dialog', { name: '“a.txt” already exists' });
    await question.getByText('Existing file: 7 bytes').waitFor();
    await question.getByRole('button', { name: 'Keep both' }).click();
    await untilNames(inTeam, '/Plans', ['a (2).txt', 'a.txt']);
  });

  test('of a drive that the user may only view are copied out, not moved', async () => {
    const { alice, page } = await openFiles({}, '/drives/ARCHIVE/files');
    await row(page, 'old.txt').click({ button: 'right' });
    assert.equal(await page.getByRole('menuitem', { name: 'Move to…' }).count(), 0);
    await page.getByRole('menuitem', { name: 'Copy to…' }).click();
    const picker = page.getByRole('dialog', { name: 'Copy “old.txt” to' });
    await picker.getByRole('button', { name: 'My files' }).click();
    await picker.getByRole('button', { name: 'Work' }).click();
    await picker.getByRole('button', { name: 'Copy here' }).click();
    await untilNames(alice, '/Work', ['a.txt', 'b.txt', 'old.txt']);
  });

  test('are moved by dragging them onto another drive, or copied with a key', async () => {
    const { alice, inTeam, page } = await openFiles();
    const team = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Team' });
    await row(page, 'a.txt').dragTo(team);
    await page.getByText('Moved “a.txt” to “Team”.').waitFor();
    await untilNames(inTeam, '/', ['Plans', 'a.txt']);
    await page.keyboard.down('Control');
    await row(page, 'b.txt').dragTo(team);
    await page.keyboard.up('Control');
    await untilNames(inTeam, '/', ['Plans', 'a.txt', 'b.txt']);
    await untilNames(alice, '/Work', ['b.txt']);
  });
});
