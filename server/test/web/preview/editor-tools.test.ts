// tier: default
// runs on: sqlite
// needs: browser
// What the text editor offers besides typing: search, undo, highlighting, and Markdown beside its source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type VisitOptions } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/Notes/img/a.png', makePng(40, 30), 'image/png');
await alice.upload('/Notes/next.md', 'The next page', 'text/markdown');

/** Opens the editor of a new file. */
async function edit(name: string, text: string, options: VisitOptions = {}) {
  const type = name.endsWith('.md') ? 'text/markdown' : 'text/plain';
  const file = await alice.upload(`/Notes/${name}`, text, type);
  const visit = await (await begin(options)).logIn(alice, `/drive/Notes?preview=${file.id}`);
  const { page } = visit;
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = page.getByRole('textbox', { name: `Content of ${name}` });
  await field.waitFor();
  const read = async () => (await field.locator('.cm-line').allTextContents()).join('\n');
  return { file, visit, page, field, read };
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByText('All changes saved.').waitFor();
}

test('text is found and replaced, and undone after it was saved', async () => {
  const { file, visit, page, field, read } = await edit('find.ts', 'const one = 1;\nlet two = one;\n');
  await field.locator('.tok-keyword').first().waitFor();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('one');
  await visit.checkAccessible();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('three');
  await page.getByRole('button', { name: 'Replace all' }).click();
  assert.equal(await read(), 'const three = 1;\nlet two = three;\n');
  await page.getByRole('button', { name: 'Close panel' }).click();
  await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor({ state: 'detached' });
  await save(page);
  assert.equal(String(await alice.download(file)), 'const three = 1;\nlet two = three;\n');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await read(), 'const one = 1;\nlet two = one;\n');
  await page.getByText('You have unsaved changes.').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByText('All changes saved.').waitFor();
  await page.getByRole('button', { name: 'Find and replace' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor({ state: 'detached' });
  assert.equal(await field.evaluate((element) => element === document.activeElement), true);
});

test('Tab indents as the file does, and leaves the text after Escape', async () => {
  const { page, field, read } = await edit('tabs.py', 'def one():\n  pass\n');
  await page.keyboard.press('Tab');
  assert.equal(await read(), '  def one():\n  pass\n');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await page.getByText('The next Tab leaves the text.').waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  assert.equal(await read(), 'def one():\n  pass\n');
  assert.equal(await field.evaluate((element) => element.contains(document.activeElement)), false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit' }).waitFor();
});

test('prose is wrapped and checked for spelling, and right-to-left lines begin at the right', async () => {
  const { page, field } = await edit('prose.txt', `${'long '.repeat(200)}\nשלום עולם\n`);
  assert.equal(await field.getAttribute('spellcheck'), 'true');
  const isWrapped = await page
    .locator('.cm-scroller')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  assert.equal(isWrapped, true);
  const direction = await field
    .locator('.cm-line', { hasText: 'שלום' })
    .evaluate((line) => getComputedStyle(line).direction);
  assert.equal(direction, 'rtl');
});

test('Markdown is shown beside its source, and follows it', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Paragraph ${index}\n`);
  const { visit, page, field } = await edit('long.md', `# Start\n\n${lines.join('\n')}`);
  const preview = page.getByRole('region', { name: 'Preview of long.md' });
  await preview.getByRole('heading', { name: 'Start' }).waitFor();
  await visit.checkAccessible();
  await field.press('Control+End');
  await page.keyboard.type('\n**The end**');
  await preview.locator('strong', { hasText: 'The end' }).waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+End');
  await page.waitForFunction(() => {
    const last = document.querySelector('article strong')?.getBoundingClientRect();
    return last !== undefined && last.bottom < innerHeight;
  });
  await save(page);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a phone shows Markdown or its source, ${colorScheme}`, inFull, async () => {
    const options = { ...PHONE, colorScheme };
    const { visit, page, field } = await edit(`phone-${colorScheme}.md`, '# Start\n\n`code`\n', options);
    await visit.checkAccessible();
    assert.equal(await page.getByRole('heading', { name: 'Start' }).count(), 0);
    await page.getByText('Preview', { exact: true }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
    assert.equal(await field.isVisible(), false);
    await page.getByText('Text', { exact: true }).click();
    await field.press('Control+End');
    await page.getByRole('button', { name: 'Find and replace' }).click();
    await visit.checkAccessible();
  });
}

test('pictures and links of a Markdown file lead to its own drive only', async () => {
  const text = '![near](img/a.png) ![far](https://example.org/a.png) [next](next.md) [gone](gone.md)';
  const file = await alice.upload('/Notes/index.md', text, 'text/markdown');
  const { page } = await (await begin()).logIn(alice, `/drive/Notes?preview=${file.id}`);
  const near = page.getByRole('img', { name: 'near' });
  await near.waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('article img')?.naturalWidth === 40,
  );
  assert.equal(await page.getByRole('img', { name: 'far' }).count(), 0);
  const article = page.getByRole('article');
  await article.getByRole('link', { name: 'gone' }).click();
  await page.getByText("“gone.md” isn't in this drive.").waitFor();
  await article.getByRole('link', { name: 'next' }).click();
  await page.getByRole('dialog', { name: 'next.md' }).getByText('The next page').waitFor();
});

test('shown code has line numbers, which are not part of its text', async () => {
  const file = await alice.upload('/Notes/code.ts', '/* one\n\nthree */\nconst four = 4;\n', 'text/plain');
  const { page } = await (await begin()).logIn(alice, `/drive/Notes?preview=${file.id}`);
  const region = page.getByRole('region', { name: 'code.ts' });
  await region.locator('.hljs-keyword').waitFor();
  assert.equal(await region.locator('pre').textContent(), '/* one\n\nthree */\nconst four = 4;\n');
  const numbers = await region
    .locator('pre span:empty')
    .evaluateAll((starts) => starts.map((start) => getComputedStyle(start, '::before').content));
  assert.equal(numbers.length, 4);
  assert.match(numbers.join(), /counter\(line\)/);
});
