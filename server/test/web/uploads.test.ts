import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { startHoldall } from '../support/holdall.ts';
import { PASSWORD } from '../support/person.ts';
import { DeskFiles, hashOf, UploadPage } from '../support/upload-page.ts';
import { Visit } from '../support/web-visit.ts';

const MB = 1_000_000;

const holdall = await startHoldall();
const browser = await startBrowser();
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');
// The page has a login of its own, which ends any other of a desktop.
await alice.logIn(PASSWORD, 'mobile');
let visit: Visit;
let uploads: UploadPage;

afterEach(async () => {
  await visit.context.close();
  visit.checkClean();
});

async function enter(path: string, options: BrowserContextOptions = {}): Promise<void> {
  visit = await Visit.begin(browser, holdall, options);
  await visit.logIn(alice);
  uploads = new UploadPage(visit.page);
  await visit.page.goto(path);
  await visit.page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
}

test('files that are picked are seen in their folder, and are what they were', async () => {
  const files = [
    await desk.write('one.bin', 5 * MB),
    await desk.write('two "quoted".txt', 10),
    await desk.write('empty', 0),
  ];
  await enter('/drive/Documents');
  await uploads.pick(files);
  await uploads.says('3 files uploaded');
  await visit.page.getByRole('main').getByText('two "quoted".txt').waitFor();
  for (const name of ['one.bin', 'two "quoted".txt', 'empty']) {
    assert.equal(await hashOf(alice, `/Documents/${name}`), desk.hash(name));
  }
  assert.match((await visit.page.getByRole('status').allTextContents()).join(), /3 files uploaded/);
});

test('a folder of five hundred files that is dropped is there, with all that is in it', async () => {
  for (let index = 0; index < 500; index += 1) {
    await desk.write(`dropped/${index % 2 === 0 ? '' : `part ${index % 10}/`}file ${index}.txt`, 100 + index);
  }
  await desk.makeDirectory('dropped/nothing in it');
  await alice.mkdir('/drop');
  await enter('/drive/drop');
  await uploads.drag([`${desk.root}/dropped`]);
  await visit.page.getByText('Drop to upload to drop').waitFor();
  await uploads.drop([`${desk.root}/dropped`, await desk.write('beside.txt', 5)]);
  await uploads.says('502 files uploaded');
  await visit.page.getByRole('main').getByText('beside.txt').waitFor();
  const tree = await alice.tree('/drop');
  assert.equal(tree.filter(({ directory }) => !directory).length, 501);
  assert.ok(tree.some(({ path }) => path === '/drop/dropped/nothing in it'));
  for (const name of ['dropped/file 0.txt', 'dropped/part 1/file 1.txt', 'dropped/part 9/file 499.txt']) {
    assert.equal(await hashOf(alice, `/drop/${name}`), desk.hash(name));
  }
});
