// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';

const { holdall, begin } = await startVisits({ browser: { isShared: false } });
let visit: Visit;

async function openWork(options: VisitOptions = {}) {
  const person = await holdall.register('berta');
  await person.upload('/Work/Plans/letter.txt', 'Dear bank');
  await person.upload('/Work/notes.txt', 'many words');
  visit = await begin(options);
  await visit.logIn(person, '/drive/Work');
  await visit.page.getByRole('row', { name: 'notes.txt' }).waitFor();
  return { person, page: visit.page };
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('row', { name }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action }).click();
}

async function compressAs(page: Page, suggested: string, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Compress' });
  const field = dialog.getByRole('textbox', { name: 'Archive name' });
  await field.waitFor();
  assert.equal(await field.inputValue(), suggested);
  await field.fill(name);
  await dialog.getByRole('button', { name: 'Compress' }).click();
}

test('a file is downloaded from its signed URL', async () => {
  const { page } = await openWork();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    choose(page, 'notes.txt', 'Download'),
  ]);
  assert.equal(download.suggestedFilename(), 'notes.txt');
  assert.equal(await readFile(await download.path(), 'utf8'), 'many words');
});

test('a folder is downloaded as a ZIP', async () => {
  const { page } = await openWork();
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Plans', 'Download')]);
  assert.equal(download.suggestedFilename(), 'Plans.zip');
  const bytes = await readFile(await download.path());
  assert.equal(bytes.subarray(0, 2).toString(), 'PK');
  assert(bytes.includes('Plans/letter.txt') && bytes.includes('Dear bank'));
});

test('several entries are downloaded as one ZIP, also on a phone', inFull, async () => {
  for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
    const { page } = await openWork(options);
    await page.getByRole('row', { name: 'notes.txt' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    await page.getByText('Downloading 2 items as a zip…').waitFor();
    // Everything in a folder is named after the folder.
    assert.equal(download.suggestedFilename(), 'Work.zip');
    const bytes = await readFile(await download.path());
    assert(bytes.includes('Plans/letter.txt') && bytes.includes('Dear bank') && bytes.includes('many words'));
    await visit.checkAccessible();
    await visit.end();
  }
});

/** The notification that a task has begun, or the one of its end, which may replace it immediately. */
function startOrEnd(page: Page, start: string, end: string | RegExp) {
  return page.getByText(start).or(page.getByText(end)).first();
}

test('several entries are compressed into one archive, which gets a free name', inFull, async () => {
  const { page, person } = await openWork();
  await person.upload('/Work/Work.zip', 'something else');
  await page.getByRole('row', { name: 'Work.zip' }).waitFor();
  await page.getByRole('row', { name: 'Plans' }).click();
  await page.getByRole('row', { name: 'notes.txt' }).click({ modifiers: ['Control'] });
  await choose(page, 'Plans', 'Compress');
  await compressAs(page, 'Plans and notes.txt.zip', 'Work');
  await startOrEnd(page, 'Compressing 2 items…', '“Work (2).zip” is ready.').waitFor();
  await page.getByRole('row', { name: 'Work (2).zip' }).waitFor();
});

test('a folder is compressed, and an archive extracted, in the background', inFull, async () => {
  const { page } = await openWork({ colorScheme: 'dark' });
  await choose(page, 'Plans', 'Compress');
  await compressAs(page, 'Plans.zip', 'a/b.zip');
  await page.getByRole('dialog').getByText('must not contain').waitFor();
  await visit.checkAccessible();
  await compressAs(page, 'a/b.zip', 'Plans.zip');
  await startOrEnd(page, 'Compressing “Plans”…', '“Plans.zip” is ready.').waitFor();
  await visit.checkAccessible();
  await page.getByRole('row', { name: 'Plans.zip' }).waitFor();
  await choose(page, 'Plans.zip', 'Extract here');
  await startOrEnd(page, 'Extracting “Plans.zip”…', /Done: .*Plans\.zip/).waitFor();
  await page.getByRole('row', { name: 'letter.txt' }).waitFor();
  await page.getByRole('button', { name: 'berta' }).click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  await page.getByRole('heading', { name: 'Tasks' }).waitFor();
});

test('an archive of any name is extracted with a chosen encoding of its names', inFull, async () => {
  const { page, person } = await openWork(PHONE);
  const archive = forgeZip([{ name: Buffer.from('bbe1d2e92e747874', 'hex'), content: 'Dear' }]);
  await person.upload('/Work/book.jar', new Uint8Array(archive), 'application/java-archive');
  await choose(page, 'book.jar', 'Extract with options…');
  const dialog = page.getByRole('dialog', { name: 'Extract “book.jar”' });
  await dialog.getByText('会议.txt').waitFor();
  await dialog.getByLabel('Name encoding').selectOption('koi8-r');
  await dialog.getByText('╩АрИ.txt').waitFor();
  await visit.checkAccessible();
  await dialog.getByLabel('Next to archive').check();
  await dialog.getByRole('button', { name: 'Extract', exact: true }).click();
  await page.getByRole('row', { name: '╩АрИ.txt' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('a file with the longest name is compressed into an archive with a shorter one', inFull, async () => {
  const { page, person } = await openWork();
  await person.upload(`/Work/${'long'.repeat(62)}abc.txt`, 'text');
  await choose(page, 'longlong', 'Compress');
  await page.getByRole('dialog').getByRole('button', { name: 'Compress' }).click();
  await page.getByRole('row', { name: /long.*\.zip/ }).waitFor();
});
