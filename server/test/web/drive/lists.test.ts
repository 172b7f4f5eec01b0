// tier: full
// runs on: sqlite
// needs: browser
// How the drive's lists react to the pointer, and what they show about each entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkFolder, Visitor } from '../../support/folder-links/folder-links.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits();
const PICTURE = makePng(40, 30);

/** A person with a folder of a few entries, and the page of that folder. */
async function openFolder(options: VisitOptions = {}) {
  const person = await holdall.register('dora');
  await person.mkdir('/Work/Old/Inner/Innermost');
  await person.upload('/Work/Plans/first.txt', 'x');
  for (const name of ['alpha.txt', 'beta.txt', 'gamma.txt']) await person.upload(`/Work/${name}`, name);
  const visit = await begin(options);
  // The page opens the stream when it is idle. Events from before are not reported as news.
  const isFollowing = visit.context.waitForEvent('response', (response) =>
    new URL(response.url()).pathname.endsWith('/files/events'),
  );
  await visit.logIn(person, '/drive/Work');
  await row(visit.page, 'gamma.txt').waitFor();
  await isFollowing;
  return { person, page: visit.page, visit };
}

test('a click on a name opens the entry, and a click beside it selects the entry', async () => {
  const { page } = await openFolder();
  const nameOf = (name: string) => row(page, name).getByRole('link', { name });
  await nameOf('Plans').click({ modifiers: ['Control'] });
  await nameOf('alpha.txt').click({ modifiers: ['Shift'] });
  await page.getByText('2 selected').waitFor();
  await row(page, 'beta.txt').click();
  await page.getByText('1 selected').waitFor();
  await nameOf('alpha.txt').click();
  await page.getByRole('dialog', { name: 'alpha.txt' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The opened folder has an entry under the pointer. The second click must not open it.
  await nameOf('Old').dblclick();
  await row(page, 'Inner').waitFor();
  assert.equal(new URL(page.url()).pathname, '/drive/Work/Old');
  await page.goBack();
  await page.getByRole('button', { name: 'Grid view' }).click();
  const tile = page.getByRole('gridcell', { name: 'Plans' });
  await tile.click();
  await page.getByText('1 selected').waitFor();
  await tile.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('gridcell', { name: 'first.txt' }).waitFor();
});

for (const place of ['/drive/Work', '/recent', '/photos'])
  test(`${place} outlines no entry before a key is pressed`, async () => {
    const { page, visit, person } = await openFolder();
    await person.upload('/a.png', PICTURE, 'image/png');
    await visit.logIn(person, place);
    const active = page.getByRole('grid').locator('[data-active]');
    await active.waitFor();
    const outline = () => active.evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.equal(await outline(), 'none');
    await page.keyboard.press('Home');
    assert.equal(await outline(), 'solid');
  });

test('several files from a visitor cause one notice to the owner, and Recent names the visitor', async () => {
  const { page, person } = await openFolder();
  const inbox = await person.mkdir('/Inbox');
  const visitor = new Visitor(holdall.url, await linkFolder(person, inbox, { mode: 'UPLOAD' }));
  await page.getByRole('link', { name: 'Starred' }).click();
  for (const name of ['1.txt', '2.txt', '3.txt']) await visitor.send(name, name, { sender: 'Tom' });
  const notice = page.getByRole('alert').filter({ hasText: 'Tom sent 3 files to “Inbox”.' });
  await notice.waitFor();
  assert.equal(await page.getByRole('alert').count(), 1);
  await notice.getByRole('button', { name: 'Show', exact: true }).click();
  await row(page, '2.txt').waitFor();
  await visitor.send('4.txt', 'x');
  await page.getByRole('alert').filter({ hasText: 'Someone sent 1 file to “Inbox”.' }).waitFor();
  await person.upload('/Inbox/own.txt', 'mine');
  await page.getByRole('link', { name: 'Recent' }).click();
  await page.getByRole('rowheader', { name: /^3 files from Tom to “Inbox”/ }).waitFor();
  await row(page, '2.txt').getByText(' · from Tom, by link').waitFor();
  await row(page, '4.txt').getByText(' · from someone, by link').waitFor();
  assert.equal(await row(page, 'own.txt').getByText('by link').count(), 0);
});

test('Recent tells the title of the link through which files came', async () => {
  const { page, person } = await openFolder();
  const inbox = await person.mkdir('/Inbox');
  const link = await linkFolder(person, inbox, { mode: 'UPLOAD', title: 'Summer pictures' });
  const visitor = new Visitor(holdall.url, link);
  for (const name of ['1.txt', '2.txt']) await visitor.send(name, name, { sender: 'Tom' });
  await page.getByRole('link', { name: 'Recent' }).click();
  await page
    .getByRole('rowheader', { name: /^2 files from Tom through “Summer pictures” to “Inbox”/ })
    .waitFor();
  await row(page, '2.txt').getByText(' · from Tom, through “Summer pictures”').waitFor();
});

test('files from many senders at once cause one notice', async () => {
  const { page, person } = await openFolder();
  const inbox = await person.mkdir('/Inbox');
  const visitor = new Visitor(holdall.url, await linkFolder(person, inbox, { mode: 'UPLOAD' }));
  const send = (sender: string) => visitor.send(`${sender}.txt`, sender, { sender });
  const notice = (text: string) => page.getByRole('alert').filter({ hasText: text });
  for (const sender of ['Ann', 'Ben']) await send(sender);
  await notice('Ben sent 1 file to “Inbox”.').waitFor();
  for (const sender of ['Cem', 'Dan', 'Eve']) await send(sender);
  await notice('Several people sent 5 files to “Inbox”.').waitFor();
  await waitFor(
    () => page.getByRole('alert').count(),
    (count) => count === 1,
    'the notices before to close',
  );
  await send('Ann');
  await notice('Several people sent 6 files to “Inbox”.').waitFor();
});

test('the notice of a deletion closes when its page is left', async () => {
  const { page } = await openFolder();
  await row(page, 'alpha.txt').click();
  await page.keyboard.press('Delete');
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Undo' }) });
  await notice.waitFor();
  await page.getByRole('link', { name: 'Recycle bin' }).click();
  await notice.waitFor({ state: 'detached' });
  await row(page, 'alpha.txt').waitFor();
});

test('the notice that an archive is ready replaces the one that it is being made', async () => {
  const { page } = await openFolder();
  await row(page, 'Plans').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compress' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compress' }).click();
  const ready = page.getByRole('alert').filter({ hasText: '“Plans.zip” is ready.' });
  await ready.waitFor();
  assert.equal(await page.getByText('Compressing').count(), 0);
  await ready.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('row', { name: 'Plans.zip', selected: true }).waitFor();
});

test('the Show button finds a new entry even if the list loads it later', async () => {
  const { page } = await openFolder();
  const isTold = Promise.withResolvers<void>();
  let isShown = false;
  await page.route('**/api/files/list?*', async (route) => {
    if (!isShown) await isTold.promise;
    await route.continue();
  });
  await row(page, 'Plans').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compress' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compress' }).click();
  const show = page.getByRole('alert').getByRole('button', { name: 'Show', exact: true });
  await show.waitFor();
  isShown = true;
  const isSought = page.waitForResponse(/\/api\/files\/list\?/);
  await show.click();
  await isSought;
  isTold.resolve();
  await page.getByRole('row', { name: 'Plans.zip', selected: true }).waitFor();
});

test('a missing entry that the address names is reported once, however the list changes', async () => {
  const { person, page } = await openFolder();
  let lookups = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v2/files/999999')) lookups += 1;
  });
  await page.goto(`${holdall.url}/drive/Work?select=999999`);
  await page.getByRole('alert').getByText('That no longer exists.').waitFor();
  for (const name of ['delta.txt', 'epsilon.txt']) {
    await person.upload(`/Work/${name}`, name);
    await row(page, name).waitFor();
  }
  assert.equal(lookups, 1);
});

test('a new text file asks for a free name, and opens in the editor', async () => {
  const { page, person, visit } = await openFolder();
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('menuitem', { name: 'New text file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New text file' });
  const field = dialog.getByLabel('File name');
  assert.equal(await field.inputValue(), 'Untitled.txt');
  await visit.checkAccessible();
  // The stem is selected.
  await page.keyboard.type('alpha');
  await page.keyboard.press('Enter');
  await dialog.getByText('There is already something named').waitFor();
  await field.fill('Ideas');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Content of Ideas.txt' });
  await editor.fill('A first idea');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved. The previous content').waitFor();
  const file = (await person.list('/Work')).items.find(({ filename }) => filename === 'Ideas.txt');
  assert.equal((await person.download(file ?? assert.fail())).toString(), 'A first idea');
  await page.goBack();
  await page.getByRole('row', { name: 'Ideas.txt', selected: true }).waitFor();
  const list = (await page.getByRole('grid').boundingBox()) ?? assert.fail();
  await page.mouse.click(list.x + list.width / 2, list.y + list.height - 60, { button: 'right' });
  await page.getByRole('menuitem', { name: 'New text file' }).click();
  await dialog.waitFor();
});

test('a new Markdown file gets a number if its name is taken', async () => {
  const { page, person } = await openFolder();
  await person.upload('/Work/Untitled.md', '# Mine', 'text/markdown');
  await row(page, 'Untitled.md').waitFor();
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('menuitem', { name: 'New Markdown file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Markdown file' });
  assert.equal(await dialog.getByLabel('File name').inputValue(), 'Untitled (2).md');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Content of Untitled (2).md' }).fill('# Second');
  await page.getByRole('region', { name: 'Preview of Untitled (2).md' }).getByRole('heading').waitFor();
  assert.equal(
    (await person.list('/Work')).items.filter(({ contentType }) => contentType === 'text/markdown').length,
    2,
  );
});

test('the name field of a new file keeps its caret, and a closed dialog opens no editor', async () => {
  const { page } = await openFolder();
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('menuitem', { name: 'New text file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New text file' });
  const field = dialog.getByLabel('File name');
  await field.focus();
  await page.keyboard.type('Half');
  await field.blur();
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('2');
  await field.blur();
  await field.focus();
  await page.keyboard.type('3');
  assert.equal(await field.inputValue(), 'Half.txt23');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/files/upload', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await dialog.locator('form[aria-busy=true]').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  release();
  await row(page, 'Half.txt23').waitFor();
  assert.equal(new URL(page.url()).search, '');
  assert.equal(await page.getByRole('row', { selected: true }).count(), 0);
});

test('search results show their whole path, and can be sorted', async () => {
  const { page, person, visit } = await openFolder();
  await person.upload('/Work/alpha 1.txt', 'more than the others');
  await person.upload('/Work/Plans/deep/alpha 2.txt', 'x');
  await visit.logIn(person, '/search?q=alpha');
  const place = row(page, 'alpha 2.txt').getByRole('link').last();
  await place.waitFor();
  assert.equal((await place.textContent())?.trim(), 'My files / Work / Plans / deep');
  const names = () =>
    page
      .getByRole('row')
      .getByRole('link', { name: /^alpha/ })
      .allTextContents();
  const order = page.getByLabel('Order');
  await order.selectOption('Largest first');
  await waitFor(names, (now) => now.join() === 'alpha 1.txt,alpha.txt,alpha 2.txt', 'the largest first');
  await order.selectOption('Newest first');
  await waitFor(names, (now) => now.join() === 'alpha 2.txt,alpha 1.txt,alpha.txt', 'the newest first');
  await order.selectOption('By name');
  await waitFor(names, (now) => now.join() === 'alpha 1.txt,alpha 2.txt,alpha.txt', 'the order of names');
  await visit.checkAccessible();
  await page.getByRole('searchbox').fill('alpha 2');
  await page.getByText('1 match', { exact: true }).waitFor();
  assert.equal(await order.inputValue(), 'match');
});

test('a chosen sort order applies to all results, also those of later pages', async () => {
  const { page, person, visit } = await openFolder();
  for (let size = 1; size <= 105; size += 1) await person.upload(`/Many/many ${size}.txt`, 'x'.repeat(size));
  await visit.logIn(person, '/search?q=many');
  await page.getByLabel('Order').selectOption('Largest first');
  await waitFor(
    () => page.getByRole('row').getByRole('link', { name: /^many/ }).first().textContent(),
    (name) => name === 'many 105.txt',
    'the largest file of all',
  );
});

for (const list of ['/search?q=deep.txt', '/recent'])
  test(`the location of a file in ${list} opens its folder, and no preview`, async () => {
    const { page, person, visit } = await openFolder();
    for (const name of ['deep.txt', 'other.txt']) await person.upload(`/Work/Plans/${name}`, name);
    await visit.logIn(person, list);
    const place = row(page, 'deep.txt').getByRole('link', { name: 'Plans' });
    for (const clickCount of [1, 2]) {
      await place.click({ clickCount });
      await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
      await row(page, 'other.txt').waitFor();
      assert.equal(new URL(page.url()).search, '');
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.goBack();
    }
  });

test('the details of several entries have their number, types and size', async () => {
  const { page, person, visit } = await openFolder();
  await person.upload('/Work/picture.png', PICTURE, 'image/png');
  await row(page, 'picture.png').waitFor();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('4 files, 2 folders').waitFor();
  await details.getByText('Text: 3').waitFor();
  await details.getByText('PNG picture: 1').waitFor();
  await details.getByText('6 items', { exact: true }).waitFor();
  await visit.checkAccessible();
  // Only files have a size that the list knows.
  await row(page, 'alpha.txt').click();
  await row(page, 'beta.txt').click({ modifiers: ['Control'] });
  await details.getByText('2 items, 17 bytes').waitFor();
});

test('the dialog for a taken folder name compares both folders', async () => {
  const { page, person } = await openFolder();
  for (const name of ['1', '2', '3']) await person.upload(`/Work/Old/Plans/${name}.txt`, '1234567890');
  await row(page, 'Plans').dragTo(row(page, 'Old'));
  const dialog = page.getByRole('dialog', { name: /already exists/ });
  await dialog.getByText('Existing folder: 3 files, 30 bytes').waitFor();
  await dialog.getByText('New folder: 1 file, 1 byte').waitFor();
});

test('a long name in the grid is shortened in the middle', async () => {
  const { page, person, visit } = await openFolder();
  const name = 'Invoice for the very important customer of the north 2026-001.pdf';
  await person.upload(`/Work/${name}`, 'x');
  await page.getByRole('button', { name: 'Grid view' }).click();
  const link = page.getByRole('link', { name, exact: true });
  await link.waitFor();
  const end = (await link.locator('span').last().boundingBox()) ?? assert.fail();
  const tile = (await page.getByRole('gridcell', { name: '2026-001' }).boundingBox()) ?? assert.fail();
  assert.ok(end.width > 20 && end.x + end.width <= tile.x + tile.width, 'the end is in view');
  assert.equal(await link.locator('span').last().textContent(), '26-001.pdf');
  await visit.checkAccessible();
  const family = '👩\u200d👩\u200d👧';
  const names = [
    `حساب الزبون المهم في الشمال البعيد جدا.pdf`,
    '北方重要客户的二〇二六年第一号发票和收据.pdf',
  ];
  for (const other of [...names, `All of the pictures of ${family}s.png`])
    await person.upload(`/Work/${other}`, 'x');
  const partsOf = async (text: string) => {
    const parts = page.getByRole('link', { name: text, exact: true }).locator('span');
    await parts.first().waitFor();
    const [first, last] = await Promise.all([parts.first().boundingBox(), parts.last().boundingBox()]);
    return {
      end: await parts.last().textContent(),
      first: first ?? assert.fail(),
      last: last ?? assert.fail(),
    };
  };
  const arabic = await partsOf(names[0] ?? '');
  assert.ok(arabic.last.x < arabic.first.x, 'the end of a name from right to left is on its left');
  const chinese = await partsOf(names[1] ?? '');
  assert.equal(chinese.end, '和收据.pdf');
  assert.ok(chinese.first.width > 20, 'the beginning is in view');
  assert.equal((await partsOf(`All of the pictures of ${family}s.png`)).end, `of ${family}s.png`);
});
