// tier: full
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { DeskFiles, hashOf, pickFromBrowser, UploadPage } from '../../support/web/upload-page.ts';
import { row, startVisits } from '../../support/web/visits.ts';

const MB = 1_000_000;

const { holdall, begin } = await startVisits({ browser: { isShared: false } });
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');

test('files dropped on another drive in the navigation are uploaded there', async () => {
  const { id } = await createDrive(alice, 'Team');
  const { page } = await (await begin()).logIn(alice, '/drive/Documents');
  const uploads = new UploadPage(page);
  await uploads.waitFor();
  const link = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Team' });
  const box = await link.boundingBox();
  assert.ok(box);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const file = await desk.write('dropped.txt', 100);
  await uploads.dragUntil(page.getByText('Drop to upload to Team'), [file], at);
  await uploads.drop([file], at);
  await uploads.says('1 file uploaded');
  await untilNames(inDrive(alice, id), '/', ['dropped.txt']);
  assert.deepEqual(await alice.names('/Documents'), []);
  await uploads.leave();
});

test('an upload to a shared drive resumes there after a reload in another drive', async () => {
  const { id } = await createDrive(alice, 'Films');
  const films = inDrive(alice, id);
  await films.mkdir('/Raw');
  const { page } = await (await begin()).logIn(alice, `/drives/${id}/files/Raw`);
  const uploads = new UploadPage(page);
  await uploads.waitFor();
  const hash = await pickFromBrowser(page, 'kept.bin', 24 * MB);
  // The upload takes 12 s, so even a busy machine reloads the page before it ends.
  await uploads.limit(2 * MB);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Files…' }).click();
  await uploads.open();
  await uploads
    .row('kept.bin')
    .getByText(/^([4-9]|1\d)(\.\d)? MB of 24 MB/)
    .waitFor();
  await page.getByRole('link', { name: 'My files', exact: true }).click();
  await row(page, 'Documents').waitFor();
  await page.reload();
  await uploads.limit(undefined);
  await uploads.says('1 file uploaded');
  assert.equal(await hashOf(films, '/Raw/kept.bin'), hash);
  assert.ok(!(await alice.names('/')).includes('kept.bin'));
  await uploads.leave();
});
