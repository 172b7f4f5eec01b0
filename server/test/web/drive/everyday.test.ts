// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

async function openWork(options: VisitOptions = {}) {
  const person = await holdall.register('eve');
  await person.mkdir('/Work/Target');
  for (const name of ['a.txt', 'b.txt']) await person.upload(`/Work/${name}`, name);
  visit = await begin(options);
  const { page } = await visit.logIn(person, '/drive/Work');
  await row(page, 'b.txt').waitFor();
  return { person, page };
}

test('entries are cut, copied and pasted by the usual keys, and Ctrl+Z undoes the last change', async () => {
  const { person, page } = await openWork();
  await row(page, 'a.txt').click();
  await page.keyboard.press('Control+c');
  await page.getByText('Copied “a.txt”. Open a folder and paste it.').waitFor();
  await page.keyboard.press('Control+v');
  await untilNames(person, '/Work', ['Target', 'a (2).txt', 'a.txt', 'b.txt']);
  await row(page, 'a (2).txt').waitFor();
  // Undoing a copy moves the copy to the bin, which can be undone in turn.
  await page.getByText('Copied “a.txt” to “Work”.').waitFor();
  await page.keyboard.press('Control+z');
  await untilNames(person, '/Work', ['Target', 'a.txt', 'b.txt']);
  await page.getByText('Moved “a (2).txt” to the bin.').waitFor();
  await page.keyboard.press('Control+z');
  await untilNames(person, '/Work', ['Target', 'a (2).txt', 'a.txt', 'b.txt']);
  await row(page, 'a (2).txt').waitFor();
  await row(page, 'b.txt').click();
  await page.keyboard.press('Control+x');
  await page.getByText('Cut “b.txt”.').waitFor();
  await row(page, 'Target').dblclick();
  await page.getByText('This folder is empty').waitFor();
  await page.keyboard.press('Control+v');
  await untilNames(person, '/Work/Target', ['b.txt']);
  await page.getByText('Moved “b.txt” to “Target”.').waitFor();
  await row(page, 'b.txt').click();
  await page.keyboard.press('Control+z');
  await untilNames(person, '/Work', ['Target', 'a (2).txt', 'a.txt', 'b.txt']);
  // Cut entries can be pasted only once.
  await page.keyboard.press('Control+v');
  await page.goBack();
  await row(page, 'a (2).txt').click();
  await page.keyboard.press('Delete');
  await untilNames(person, '/Work', ['Target', 'a.txt', 'b.txt']);
  await page.getByText('Moved “a (2).txt” to the bin.').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+z');
  await untilNames(person, '/Work', ['Target', 'a (2).txt', 'a.txt', 'b.txt']);
});

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone with a keyboard', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  const title = `entries that were cut or are about to be moved are pale until that is over, on ${device}`;
  test(title, inFull, async () => {
    const { person, page } = await openWork(options);
    const pale = () => page.locator('[role=row][data-leaving]').allInnerTexts();
    const isPale = (name: string | undefined) =>
      waitFor(
        pale,
        (rows) => rows.length === (name === undefined ? 0 : 1) && rows.join().includes(name ?? ''),
        'it',
      );
    await row(page, 'a.txt').getByRole('checkbox').check();
    await page.keyboard.press('Control+x');
    await isPale('a.txt');
    await visit.checkAccessible();
    await page.keyboard.press('Escape');
    await isPale(undefined);
    // The first Escape only undoes the cut, and keeps the selection.
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Control+v');
    await row(page, 'a.txt').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Move/ });
    await dialog.locator(':focus').waitFor();
    await isPale('a.txt');
    await page.keyboard.press('Escape');
    await isPale(undefined);
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'a.txt').getByRole('checkbox').check();
    await page.keyboard.press('Control+x');
    await isPale('a.txt');
    await page.keyboard.press('Control+c');
    await isPale(undefined);
    await page.keyboard.press('Control+x');
    await isPale('a.txt');
    assert.deepEqual(await person.names('/Work'), ['Target', 'a.txt', 'b.txt']);
  });
}

test('the keys copy the focused entry, and Backspace leaves an empty folder', inFull, async () => {
  const { person, page } = await openWork();
  await page.locator('[role=grid]:focus').waitFor();
  // The focused entry has an outline, but is not selected.
  await page.keyboard.press('Control+c');
  await page.getByText('Copied “Target”. Open a folder and paste it.').waitFor();
  await row(page, 'Target').dblclick();
  await page.getByText('This folder is empty').waitFor();
  await page.keyboard.press('Backspace');
  await page.waitForURL('**/drive/Work');
  await row(page, 'b.txt').waitFor();
  await page.keyboard.press('Control+v');
  await untilNames(person, '/Work', ['Target', 'Target (2)', 'a.txt', 'b.txt']);
  // The notice offers no way to the folder, which is already on the screen, but only Undo.
  await page.getByText('Copied “Target” to “Work”.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Open folder' }).count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await untilNames(person, '/Work', ['Target', 'a.txt', 'b.txt']);
});

test('Ctrl+Z works with caps lock, and on a keyboard without the letter', inFull, async () => {
  const { person, page } = await openWork();
  for (const [key, name] of [
    ['Z', 'a.txt'],
    ['я', 'b.txt'],
  ] as const) {
    await row(page, name).click();
    await page.keyboard.press('Delete');
    await page.getByText(`Moved “${name}” to the bin.`).waitFor();
    await page.evaluate((typed) => {
      const pressed = { key: typed, code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', pressed));
    }, key);
    await untilNames(person, '/Work', ['Target', 'a.txt', 'b.txt']);
    await row(page, name).waitFor();
  }
});

test('the menu of an entry shows every action, wherever it is opened', inFull, async () => {
  const { person, page } = await openWork({ viewport: { width: 1280, height: 800 } });
  await person.upload('/Work/c.zip', 'not really', 'application/zip');
  const entry = row(page, 'c.zip');
  await entry.waitFor();
  const { y = 0 } = (await entry.boundingBox()) ?? {};
  for (const at of [y + 10, 500]) {
    // Opens the same menu as a right click, at another height of the window.
    await entry.dispatchEvent('contextmenu', { clientX: 600, clientY: at, button: 2 });
    const menu = page.getByRole('menu');
    for (const name of ['Open', 'Delete']) {
      const item = menu.getByRole('menuitem', { name, exact: true });
      await item.waitFor();
      assert.ok(await item.evaluate(isShownWhole), `${name} is shown for a menu at ${at}`);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  }
});

test('keys go to a menu as soon as it opens, before it has the focus', inFull, async () => {
  /** Opens the menu of an entry or of the grid, and presses keys just before and after that. */
  const openMenu = async (entry: Locator, keys: { firstPress?: string; thenPress?: string } = {}) => {
    await entry.evaluate(async (element, { firstPress, thenPress }) => {
      const press = (key: string) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
      const { left, top, bottom } = element.getBoundingClientRect();
      const isEntry = element.getAttribute('role') === 'row';
      const at = { clientX: left + 40, clientY: isEntry ? top + 5 : bottom - 5, button: 2 };
      if (firstPress !== undefined) press(firstPress);
      element.dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true }));
      // Now the page has handled the event, but has not drawn the menu.
      await new Promise((resolve) => setTimeout(resolve));
      if (thenPress !== undefined) press(thenPress);
    }, keys);
  };

  const { page } = await openWork();
  const [first, second] = [row(page, 'a.txt'), row(page, 'b.txt')];
  const menu = page.getByRole('menu');
  const focused = menu.locator('[role="menuitem"]:focus');
  // Opens the menu once to load its code.
  await openMenu(first);
  await focused.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });

  await openMenu(first, { thenPress: 'Escape' });
  await passFrames(page);
  assert.equal(await menu.count(), 0, 'Escape closed the menu');
  assert.equal(await first.getAttribute('aria-selected'), 'true', 'the entry is still selected');

  await openMenu(first, { thenPress: 'ArrowDown' });
  await focused.waitFor();
  assert.equal(await first.getAttribute('aria-selected'), 'true', 'the arrow did not move the selection');

  // Delays drawing, as on a busy computer: the second menu gets the focus before the first one disappears.
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => window.setTimeout(() => draw(callback), 100);
  });
  // The menu of the space beside the entries has its own code, which is also loaded once.
  for (const entry of [second, page.getByRole('grid'), first, page.getByRole('grid')]) {
    await openMenu(entry, { firstPress: 'Escape' });
    await focused.waitFor();
    await passFrames(page);
    assert.equal(await focused.count(), 1, 'the new menu has the focus');
  }
});

/** Waits for four frames, which is longer than a menu takes to appear. */
async function passFrames(page: Page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** Runs in the browser. */
const isShownWhole = (item: Element) => {
  const { left, top, bottom } = item.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => item.contains(document.elementFromPoint(left + 20, y)));
};

test('a folder that loads slowly says that it is loading', inFull, async () => {
  const { page } = await openWork();
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  await page.route('**/api/files/list?*Target*', async (route) => {
    await isSeen;
    await route.continue();
  });
  await row(page, 'Target').dblclick();
  const loading = page.getByRole('status', { name: 'Loading' });
  await loading.waitFor();
  await visit.checkAccessible();
  see();
  await page.getByText('This folder is empty').waitFor();
  assert.equal(await loading.count(), 0);
});

test('the address of a missing folder shows a message of the client, not of the API', inFull, async () => {
  const { page } = await openWork();
  await page.goto('/drive/Work/Not%20there');
  await page.getByText("This folder doesn't exist.").waitFor();
  assert.equal(await page.getByText('directory').count(), 0);
  await visit.checkAccessible();
  await page.getByRole('link', { name: 'Back to my files' }).click();
  await row(page, 'Work').waitFor();
});

test('a rename is undone', inFull, async () => {
  const { person, page } = await openWork();
  await row(page, 'a.txt').click();
  await page.keyboard.press('F2');
  await page.keyboard.type('renamed');
  const renamed = page.waitForResponse(/\/rename$/);
  await page.keyboard.press('Enter');
  await (await renamed).finished();
  await row(page, 'renamed.txt').waitFor();
  await untilNames(person, '/Work', ['Target', 'b.txt', 'renamed.txt']);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+z');
  await page.getByText('Renamed “a.txt” back.').waitFor();
  await row(page, 'a.txt').waitFor();
});

test('the last change is undone wherever the focus is, but not while the user types', inFull, async () => {
  const { person, page } = await openWork();
  await row(page, 'Target').dblclick();
  await page.getByText('This folder is empty').waitFor();
  await person.upload('/Work/Target/only.txt', 'the only file');
  await row(page, 'only.txt').click();
  await page.keyboard.press('Delete');
  await page.getByText('Moved “only.txt” to the bin.').waitFor();
  // The list is gone, and nothing has the focus.
  await page.getByText('This folder is empty').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('words');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  await untilNames(person, '/Work/Target', []);
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('Control+z');
  await untilNames(person, '/Work/Target', ['only.txt']);
  // If the keys came slowly, the page has begun to search.
  if (new URL(page.url()).pathname === '/search') await page.goBack();
  await row(page, 'only.txt').waitFor();
});

test('Ctrl+Z does not undo the previous change while another one is running', inFull, async () => {
  const { person, page } = await openWork();
  await row(page, 'a.txt').click();
  await page.keyboard.press('Delete');
  await page.getByText('Moved “a.txt” to the bin.').waitFor();
  const begun = Promise.withResolvers<() => Promise<void>>();
  await page.route('**/api/files/*', (route) => {
    // The page may refetch a list at any time, so only deletions are held back.
    if (route.request().method() !== 'DELETE') return route.continue();
    begun.resolve(() => route.continue());
    return undefined;
  });
  await row(page, 'b.txt').click();
  await page.keyboard.press('Delete');
  const finish = await begun.promise;
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+z');
  await finish();
  await page.getByText('Moved “b.txt” to the bin.').waitFor();
  await untilNames(person, '/Work', ['Target']);
});

test('the space beside the entries has its own menu, even in an empty folder', inFull, async () => {
  const { person, page } = await openWork({ colorScheme: 'dark' });
  const openMenu = async () => {
    const box = await page.getByRole('main').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 150, { button: 'right' });
  };
  await openMenu();
  await page.getByRole('menuitem', { name: 'Select all' }).waitFor();
  await visit.checkAccessible();
  await page.getByRole('menuitem', { name: 'Select all' }).click();
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Escape');
  await row(page, 'b.txt').click();
  await page.keyboard.press('Control+c');
  await page.getByText('Copied “b.txt”.').waitFor();
  await row(page, 'Target').dblclick();
  await page.getByText('This folder is empty').waitFor();
  await openMenu();
  await page.getByRole('menuitem', { name: 'New folder' }).waitFor();
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  await untilNames(person, '/Work/Target', ['b.txt']);
  await openMenu();
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await page.getByRole('dialog', { name: 'New folder' }).waitFor();
});

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  const kind = 'isMobile' in options ? 'a phone, dark' : 'a laptop';
  test(`on ${kind}: starred entries are marked and listed`, 'isMobile' in options ? inFull : {}, async () => {
    const { person, page } = await openWork(options);
    const choose = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('a.txt', 'Star');
    await row(page, 'a.txt').getByRole('img', { name: 'Starred' }).waitFor();
    await choose('Target', 'Star');
    await row(page, 'Target').getByRole('img', { name: 'Starred' }).waitFor();
    await page.goto('/starred');
    const list = page.getByRole('grid', { name: 'Starred items' });
    await list.getByRole('row', { name: 'a.txt' }).waitFor();
    await list.getByRole('row', { name: 'Target' }).waitFor();
    await visit.checkAccessible();
    await choose('Target', 'Remove star');
    await list.getByRole('row', { name: 'Target' }).waitFor({ state: 'detached' });
    const [entry] = (await person.list('/Work')).items.filter(({ filename }) => filename === 'a.txt');
    assert.ok(entry);
    await person.ask('DELETE', `/api/v2/files/${entry.id}/star`);
    await page.getByRole('heading', { name: 'No starred items yet' }).waitFor();
    await visit.checkAccessible();
  });
}

for (const view of ['list', 'tiles'] as const) {
  test(`the mouse draws a rectangle that selects what it touches, in the ${view}`, inFull, async () => {
    const { page } = await openWork();
    if (view === 'tiles') await page.getByRole('button', { name: 'Grid view' }).click();
    const at = async (name: string) => {
      const box = await page.locator('[data-index]').filter({ hasText: name }).first().boundingBox();
      assert.ok(box, name);
      return box;
    };
    const [first, last] = [await at('Target'), await at('a.txt')];
    const grid = await page.locator('[role=grid]').boundingBox();
    assert.ok(grid);
    // Drags from the space below the entries up, or left, to the middle of the second entry.
    await page.mouse.move(last.x + last.width - 2, grid.y + grid.height - 60);
    await page.mouse.down();
    await page.mouse.move(last.x + last.width / 2, last.y + last.height / 2, { steps: 5 });
    const isSelected = (name: string) =>
      page.locator('[data-index]').filter({ hasText: name }).first().getAttribute('aria-selected');
    const selection = async () =>
      `${await isSelected('Target')} ${await isSelected('a.txt')} ${await isSelected('b.txt')}`;
    await waitFor(selection, (now) => now === `false true ${view === 'list'}`, 'the touched entries');
    await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2, { steps: 5 });
    await waitFor(selection, (now) => now === `true true ${view === 'list'}`, 'the larger rectangle');
    await page.mouse.up();
    assert.equal(await selection(), `true true ${view === 'list'}`);
    await page.mouse.click(last.x + 4, grid.y + grid.height - 60);
    await waitFor(selection, (now) => now === 'false false false', 'a click beside the entries');
  });
}
