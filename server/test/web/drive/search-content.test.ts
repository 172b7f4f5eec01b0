// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { PlainTexts, takeTexts } from '../../support/content-search/plain-texts.ts';
import { linePage, makePdf } from '../../support/documents/pdf-files.ts';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ holdall: { extraction: new PlainTexts() } });
const alice = await holdall.register('alice');
const lines = Array.from({ length: 300 }, (_, line) => `Line ${line} is about something else.`);
await alice.upload('/letters/rent.txt', `${lines.join('\n')}\nThe déposit is due in May.\n`, 'text/plain');
holdall.clock.advance(60_000);
await alice.upload('/letters/short.md', '# Deposit\n\nThe *deposit* of May.\n', 'text/markdown');
await alice.upload('/letters/parts.txt', 'Depositary shares are another word. May.', 'text/plain');
await alice.upload('/deposit.txt', 'Only the name says it.', 'text/plain');
await alice.upload('/page.txt', 'We saw <img src="x" alt="y"> Villa <b>Sorgenfrei</b>', 'text/plain');
await alice.upload('/poem.txt', `The heron.\n${lines.join('\n')}\nA heron meets an otter.`, 'text/plain');
await alice.upload('/合同.txt', '今年的房租合同', 'text/plain');
await alice.upload('/report.txt', `${lines.join('\r\n')}\r\n今年的年度\r\n\r\n　报告已发布`, 'text/plain');
const pages = Array.from({ length: 30 }, (_, page) =>
  linePage(`Page about ${page === 20 ? 'walruses' : 'seals'}`),
);
await alice.upload('/animals.pdf', makePdf(pages), 'application/pdf');
const rows = Array.from({ length: 3_000 }, (_, row) => `${row},${row === 2_500 ? 'nightingale' : 'sparrow'}`);
await alice.upload('/birds.csv', `number,bird\n${rows.join('\n')}\n`, 'text/csv');
const wide = `\`\`\`\n${'wide '.repeat(100)}platypus\n\`\`\`\n`;
await alice.upload('/code.md', `# Code\n\n${wide}`, 'text/markdown');
await alice.upload('/arabic.txt', 'هذا عقد إيجار جديد', 'text/plain');
await alice.upload('/years.txt', 'The years 2024 and 2025', 'text/plain');
await takeTexts(holdall);

async function open(options: VisitOptions = {}, address = '/search?q=may+deposit&in=content') {
  const visit = await (await begin(options)).logIn(alice, address);
  const { page } = visit;
  return { visit, page, found: page.getByRole('grid', { name: 'Search results' }) };
}

/** Waits until these words are highlighted in the shown text, and the current one is in view. */
async function untilHit(page: Page, expected: readonly string[]): Promise<void> {
  await waitFor(
    () => page.evaluate<string[]>(`Array.from(CSS.highlights.get('text-match') ?? [], String)`),
    (hits) => isDeepStrictEqual(hits, expected),
    'the hits',
  );
  await waitFor(
    () =>
      page.evaluate<boolean>(`(() => {
        const [hit] = CSS.highlights.get('current-match') ?? [];
        if (hit === undefined) return false;
        const { top, bottom } = hit.getBoundingClientRect();
        const box = hit.startContainer.parentElement.closest('section').getBoundingClientRect();
        return top >= box.top && bottom <= box.bottom;
      })()`),
    (isInView) => isInView,
    'the current hit to be in view',
  );
}

describe('a search in content', () => {
  test('shows the passages, opens a text at its first hit, and leads back to the names', async () => {
    const { visit, page, found } = await open({}, '/search?q=d%C3%A9posit');
    await page.getByText('1 match', { exact: true }).waitFor();
    await row(page, 'deposit.txt').waitFor();
    await page.getByText('Content', { exact: true }).click();
    await page.waitForURL('**/search?q=d%C3%A9posit&in=content');
    await page.getByText('2 matches').waitFor();
    const rent = found.getByRole('row', { name: 'rent.txt' });
    assert.deepEqual(await rent.locator('mark').allTextContents(), ['déposit']);
    await visit.checkAccessible();
    await rent.getByText('rent.txt').click();
    await page.getByRole('dialog').getByText('Line 299 is about something else.').waitFor();
    await untilHit(page, ['déposit']);
    await page.reload();
    await untilHit(page, ['déposit']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Names', { exact: true }).click();
    await page.waitForURL('**/search?q=d%C3%A9posit');
    await page.getByText('1 match', { exact: true }).waitFor();
    assert.equal(await page.locator('mark').count(), 0);
    await visit.checkAccessible();
  });

  test('is offered when no name matches', inFull, async () => {
    const { visit, page, found } = await open({}, '/search?q=sorgenfrei');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Search file contents', exact: true }).click();
    await page.waitForURL('**/search?q=sorgenfrei&in=content');
    // The passage has the file's own characters, not the elements that they would be in a page.
    const passage = found.getByRole('gridcell', { name: '<img src="x" alt="y"> Villa <b>Sorgenfrei</b>' });
    await passage.waitFor();
    assert.equal(await passage.locator('img, b').count(), 0);
    assert.deepEqual(await passage.locator('mark').allTextContents(), ['Sorgenfrei']);
  });

  test('highlights hits in rendered Markdown and in its source', inFull, async () => {
    const { page, found } = await open();
    await found.getByRole('row', { name: 'short.md' }).getByText('short.md').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Deposit', exact: true }).waitFor();
    await untilHit(page, ['Deposit', 'deposit', 'May']);
    await page.getByText('Source', { exact: true }).click();
    await page.getByRole('dialog').getByText('The *deposit* of May.').waitFor();
    await untilHit(page, ['Deposit', 'deposit', 'May']);
  });

  test('opens a text where most of the words are, and leads from match to match', inFull, async () => {
    const { visit, page, found } = await open({}, '/search?q=otter+heron&in=content');
    await found.getByRole('row', { name: 'poem.txt' }).getByText('poem.txt').click();
    const matches = page.getByRole('group', { name: 'Matches', exact: true });
    const next = matches.getByRole('button', { name: 'Next match', exact: true });
    for (const place of [2, 3, 1]) {
      await matches.getByText(`Match ${place} of 3`, { exact: true }).waitFor();
      await untilHit(page, ['heron', 'heron', 'otter']);
      await next.press('Enter');
    }
    await matches.getByRole('button', { name: 'Previous match', exact: true }).click();
    await matches.getByText('Match 1 of 3', { exact: true }).waitFor();
    await visit.checkAccessible();
  });

  test('leaves a text where its reader has moved it', inFull, async () => {
    const { page, found } = await open();
    await found.getByRole('row', { name: 'rent.txt' }).getByText('rent.txt').click();
    await untilHit(page, ['déposit', 'May']);
    const text = page.getByRole('dialog').getByRole('region', { name: 'rent.txt', exact: true });
    await text.press('Home');
    await waitFor(
      () => text.evaluate((element) => element.scrollTop),
      (top) => top === 0,
      'the beginning',
    );
  });

  test('finds a Chinese phrase, and shows it in Chinese', inFull, async () => {
    const { visit, page } = await open({ locale: 'zh-CN' }, '/search?q=房租&in=content');
    await page.getByText('内容', { exact: true }).waitFor();
    const marks = page.getByRole('grid').locator('mark');
    await marks.first().waitFor();
    assert.deepEqual(await marks.allTextContents(), ['房租']);
    await visit.checkAccessible();
    await page.goto('/search?q=租房&in=content');
    await page.getByRole('heading', { name: '未找到结果' }).waitFor();
  });

  test('is sorted by the server, and narrowed down by filters', inFull, async () => {
    const { page, found } = await open();
    await page.getByText('2 matches').waitFor();
    const names = async () => (await found.locator('a[data-opens][title]').allTextContents()).join();
    const order = page.getByRole('combobox', { name: 'Order' });
    for (const [choice, expected] of [
      ['By name', 'rent.txt,short.md'],
      ['Newest first', 'short.md,rent.txt'],
      ['Largest first', 'rent.txt,short.md'],
    ] as const) {
      await order.selectOption(choice);
      await waitFor(names, (shown) => shown === expected, choice);
    }
    await page.getByRole('button', { name: 'Kind', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Pictures', exact: true }).waitFor();
    assert.equal(await page.getByRole('menuitemradio', { name: 'Folders', exact: true }).count(), 0);
    await page.getByRole('menuitemradio', { name: 'Pictures', exact: true }).click();
    await page.getByText('No match for these words and filters.').waitFor();
    // Beside the filters, and below the notice.
    await page.getByRole('button', { name: 'Clear filters', exact: true }).last().click();
    await page.waitForURL(({ searchParams: search }) => search.has('in') && !search.has('kind'));
    await page.getByText('2 matches').waitFor();
  });

  test('opens a PDF at the match', inFull, async () => {
    const { visit, page, found } = await open({}, '/search?q=walruses&in=content');
    await found.getByRole('row', { name: 'animals.pdf' }).getByText('animals.pdf').click();
    const dialog = page.getByRole('dialog', { name: 'animals.pdf' });
    await dialog.getByText('Page about walruses').waitFor();
    const field = dialog.getByRole('textbox', { name: 'Page number' });
    await waitFor(
      () => field.inputValue(),
      (number) => number === '21',
      'the page',
    );
    await waitFor(
      () => page.evaluate<string>(`Array.from(CSS.highlights.get('text-match') ?? [], String).join()`),
      (words) => words === 'walruses',
      'the mark',
    );
    await visit.checkAccessible();
  });

  test('opens a long table at the match, as source', inFull, async () => {
    const { page, found } = await open({}, '/search?q=nightingale&in=content');
    await found.getByRole('row', { name: 'birds.csv' }).getByText('birds.csv').click();
    await page.getByText('Match 1 of 1', { exact: true }).waitFor();
    await untilHit(page, ['nightingale']);
  });

  test('scrolls a wide block sideways', inFull, async () => {
    const { page, found } = await open(PHONE, '/search?q=platypus&in=content');
    await found.getByRole('row', { name: 'code.md' }).getByText('code.md').click();
    await untilHit(page, ['platypus']);
    await waitFor(
      () =>
        page.evaluate<number>(
          `CSS.highlights.get('text-match')?.values().next().value.getBoundingClientRect().right ?? 1e6`,
        ),
      (right) => right < 360,
      'the match to be in view',
    );
  });

  test('highlights a phrase over several lines', inFull, async () => {
    const { page, found } = await open({}, '/search?q=年度报告&in=content');
    await found.getByRole('row', { name: 'report.txt' }).getByText('report.txt').click();
    await untilHit(page, ['年度\n\n　报告']);
  });

  test('shows an Arabic passage from right to left', inFull, async () => {
    const { page, found } = await open({}, '/search?q=عقد&in=content');
    const mark = found.getByRole('row', { name: 'arabic.txt' }).locator('mark');
    await mark.waitFor();
    const box = (await mark.boundingBox()) ?? assert.fail();
    const { width } = page.viewportSize() ?? assert.fail();
    assert.ok(box.x > width / 2, `${box.x} px`);
  });

  test('needs words', inFull, async () => {
    const { page } = await open({}, '/search?q=&in=content&changed=week');
    await page.getByRole('heading', { name: 'What are you looking for?' }).waitFor();
    assert.equal(await page.getByRole('grid').count(), 0);
  });

  test('finds and highlights a number', inFull, async () => {
    const { page, found } = await open({}, '/search?q=2024&in=content');
    await found.getByRole('row', { name: 'years.txt' }).getByText('years.txt').click();
    await untilHit(page, ['2024']);
  });

  test('keeps the order in the address', inFull, async () => {
    const { page, found } = await open();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
    await page.waitForURL(({ searchParams: search }) => search.get('sort') === 'name');
    await found.getByRole('link', { name: 'letters' }).first().click();
    await page.waitForURL('**/drive/letters');
    await page.goBack();
    await found.waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Order' }).inputValue(), 'name');
  });

  test('covers all drives on demand', inFull, async () => {
    const { id } = await createDrive(alice, 'Team');
    await inDrive(alice, id).upload('/minutes.txt', 'We paid the deposit in May.', 'text/plain');
    await takeTexts(holdall);
    const { page, found } = await open();
    await page.getByText('2 matches').waitFor();
    await page.getByText('All drives', { exact: true }).click();
    await page.getByText('3 matches').waitFor();
    await found.getByRole('row', { name: 'minutes.txt' }).getByText('minutes.txt').click();
    await untilHit(page, ['deposit', 'May']);
  });

  for (const [where, options] of [
    ['on a phone', PHONE],
    ['on a phone in dark colours', { ...PHONE, colorScheme: 'dark' }],
    ['in dark colours', { colorScheme: 'dark' }],
  ] as const) {
    test(`works ${where}`, inFull, async () => {
      const { visit, page, found } = await open(options);
      await found.getByRole('row', { name: 'rent.txt' }).locator('mark').first().waitFor();
      await visit.checkAccessible();
      await found.getByRole('row', { name: 'rent.txt' }).getByText('rent.txt').click();
      await untilHit(page, ['déposit', 'May']);
      await visit.checkAccessible();
    });
  }

  test('is chosen and opened with the keyboard', inFull, async () => {
    const { page, found } = await open({}, '/search?q=may+deposit');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('radio', { name: 'Names', exact: true }).press('ArrowRight');
    await page.waitForURL(({ searchParams: search }) => search.get('in') === 'content');
    await found.focus();
    await found.press('Home');
    await found.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('finds a new file once it was read, and can be tried again after a failure', inFull, async () => {
    const { visit, page, found } = await open({}, '/search?q=lighthouse&in=content');
    await page.getByText('No file contains all of these words.').waitFor();
    await visit.checkAccessible();
    await visit.context.clock.install();
    await page.reload();
    await page.getByText('No file contains all of these words.').waitFor();
    await alice.upload('/later.txt', 'The lighthouse keeper', 'text/plain');
    await takeTexts(holdall);
    await page.clock.fastForward(20_000);
    await found.getByRole('row', { name: 'later.txt' }).waitFor();
    await page.route('**/api/v2/files/search?*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/search?q=keeper&in=content');
    const again = page.getByRole('button', { name: 'Try again', exact: true });
    await again.waitFor();
    await visit.checkAccessible();
    await page.unrouteAll();
    await again.click();
    await found.getByRole('row', { name: 'later.txt' }).waitFor();
  });

  test('is repeated a minute after the last change, but not at once', inFull, async () => {
    const put = async (name: string) => {
      await alice.upload(name, 'The windmill', 'text/plain');
      await takeTexts(holdall);
    };
    await put('/mill-1.txt');
    const { visit, page, found } = await open({}, '/search?q=windmill&in=content');
    const match = (name: string) => found.getByRole('row', { name }).waitFor();
    await match('mill-1.txt');
    await visit.context.clock.install();
    let searches = 0;
    await page.route('**/api/v2/files/search?*', (route) => {
      searches += 1;
      return route.continue();
    });
    await page.reload();
    await match('mill-1.txt');
    // The start of the event stream counts as a change.
    await page.clock.fastForward(5_000);
    await page.clock.fastForward(60_000);
    await waitFor(
      async () => searches,
      (count) => count >= 2,
      'the first repetition',
    );
    const before = searches;
    await put('/mill-2.txt');
    await found.getByRole('row', { name: 'mill-1.txt' }).click();
    await page.keyboard.press('F2');
    await page.keyboard.type('old-mill');
    await page.keyboard.press('Enter');
    await match('old-mill.txt');
    await page.clock.fastForward(30_000);
    assert.equal(searches, before);
    // A search in between is no reason to forget the change.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await match('mill-2.txt');
    await put('/mill-3.txt');
    await page.clock.fastForward(30_000);
    await page.clock.fastForward(30_000);
    await match('mill-3.txt');
  });

  test('tells only administrators how many files are still to be read', inFull, async () => {
    const chief = await holdall.register('chief');
    await asAdmin(await holdall.admin()).user(chief, 'role', { role: 'ADMIN' });
    for (const person of [chief, alice]) {
      const visit = await begin();
      const { page } = visit;
      let requests = 0;
      await page.route('**/api/admin/content-search', (route) => {
        requests += 1;
        const amounts = { waiting: 1_234, indexed: 5, withoutText: 0, givenUp: 0, textBytes: 999 };
        const data = { isOn: true, ...amounts, lastError: null };
        return route.fulfill({ json: { code: 0, msg: 'success', data } });
      });
      await visit.logIn(person, '/search?q=unknown&in=content');
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      const progress = page.getByText(/^Still indexing 1,234 files/);
      if (person === chief) await progress.waitFor();
      else assert.deepEqual([await progress.count(), requests], [0, 0]);
      await visit.checkAccessible();
    }
  });
});
