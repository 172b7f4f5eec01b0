// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { UploadPage } from '../../support/web/upload-page.ts';
import { row, startVisits } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits();

test('a member who is removed while uploading changes nothing, and keeps what was typed', async () => {
  const [alice, bob, carol] = [
    await holdall.register('alice'),
    await holdall.register('bob'),
    await holdall.register('carol'),
  ];
  const { id } = await createDrive(alice, 'Team', [
    { person: bob, role: 'EDITOR' },
    { person: carol, role: 'VIEWER' },
  ]);
  await inDrive(alice, id).mkdir('/Plan');
  const [managing, editing, viewing] = [await begin(), await begin(), await begin()];
  const address = `/drives/${id}/files`;
  await managing.logIn(alice, address);
  await editing.logIn(bob, address);
  await viewing.logIn(carol, address);
  for (const { page } of [managing, editing, viewing]) await row(page, 'Plan').waitFor();
  await inDrive(bob, id).mkdir('/From Bob');
  for (const { page } of [managing, editing, viewing]) await row(page, 'From Bob').waitFor();
  assert.equal(await viewing.page.getByRole('button', { name: /^(New folder|Upload)$/ }).count(), 0);

  const uploads = new UploadPage(editing.page);
  await uploads.limit(20_000);
  const isUploading = editing.page.waitForRequest('**/api/files/upload');
  const late = { name: 'late.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(400_000) };
  await editing.page.locator('input[name="files"]').setInputFiles(late);
  await isUploading;
  await editing.page.getByRole('button', { name: 'New folder' }).click();
  const field = editing.page.getByRole('textbox', { name: 'Folder name' });
  await field.fill('A long name');
  await alice.ask('DELETE', `/api/v2/drives/${id}/members/${bob.id}`);
  await uploads.limit(undefined);
  const alert = editing.page
    .getByRole('alert')
    .filter({ hasText: 'Copy what you typed before you continue' });
  await alert.waitFor();
  assert.equal(await field.inputValue(), 'A long name');
  await alert.getByRole('button').click();
  await row(editing.page, 'Documents').waitFor();
  await uploads.says('1 upload failed');
  await uploads.open();
  await uploads.row('late.bin').getByText('You no longer have access to “Team”.').waitFor();
  assert.equal(await row(editing.page, 'late.bin').count(), 0);

  // The other members can still work.
  await managing.page.getByRole('button', { name: 'New folder' }).click();
  await managing.page.getByRole('textbox', { name: 'Folder name' }).fill('After Bob');
  await managing.page.keyboard.press('Enter');
  for (const { page } of [managing, viewing]) {
    await row(page, 'After Bob').waitFor();
    assert.equal(await row(page, 'late.bin').count(), 0);
  }
  const { items } = await inDrive(alice, id).list('/', { size: 100 });
  assert.deepEqual(items.map(({ filename }) => filename).sort(), ['After Bob', 'From Bob', 'Plan']);
  await uploads.leave();
});
