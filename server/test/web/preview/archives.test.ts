// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';

const { holdall, begin } = await startVisits();

test('the preview shows the folders of an archive, and takes single entries out of it', async () => {
  const alice = await holdall.register('alice');
  const archive = forgeZip([
    { name: 'album/Rome/a.txt', content: 'aa' },
    { name: 'album/Rome/b.txt', content: 'b' },
    { name: 'album/Paris/c.txt', content: 'c' },
    { name: 'readme.txt', content: 'read' },
  ]);
  await alice.upload('/Show/Walk/album.zip', new Uint8Array(archive), 'application/zip');
  await alice.mkdir('/Show/Walk/out');
  const visit = await begin();
  const { page } = await visit.logIn(alice, '/drive/Show/Walk');
  await row(page, 'album.zip').waitFor();
  await page.getByRole('row', { name: 'album.zip' }).dblclick();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'album', exact: true }).click();
  await dialog.getByRole('cell', { name: 'Paris', exact: true }).waitFor();
  assert.equal(await dialog.getByRole('cell', { name: 'readme.txt', exact: true }).count(), 0);
  await dialog.getByRole('button', { name: 'Rome' }).click();
  await dialog.getByRole('row', { name: 'a.txt' }).getByText('2 bytes').waitFor();
  await visit.checkAccessible();
  await dialog.getByRole('checkbox', { name: 'Select a.txt' }).check();
  await dialog.getByRole('button', { name: 'Extract 1 item…' }).click();
  const picker = page.getByRole('dialog', { name: 'Extract “a.txt” to' });
  // Escape closes only the picker.
  await picker.locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });
  assert.ok(await dialog.getByRole('checkbox', { name: 'Select a.txt' }).isChecked());
  await dialog.getByRole('button', { name: 'Extract 1 item…' }).click();
  await picker.getByRole('button', { name: 'out' }).click();
  await picker.getByRole('button', { name: 'Extract here' }).click();
  await untilNames(alice, '/Show/Walk/out', ['a.txt']);
  // A whole folder, by the way back.
  const trail = dialog.getByRole('navigation', { name: 'Folder in the archive' });
  await trail.getByRole('button', { name: 'album', exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'Select all' }).check();
  await dialog.getByRole('button', { name: 'Extract 2 items…' }).click();
  await page
    .getByRole('dialog', { name: 'Extract 2 items to' })
    .getByRole('button', { name: 'Extract here' })
    .click();
  await untilNames(alice, '/Show/Walk', ['out', 'Paris', 'Rome', 'album.zip']);
  await untilNames(alice, '/Show/Walk/Rome', ['a.txt', 'b.txt']);
});
