// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startVisits } from '../../support/web/visits.ts';

const BUILT = path.join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist');
const MAX_BYTES = 260_000;

const { holdall, begin } = await startVisits();

test('the scripts loaded before the first list is shown stay small', async () => {
  const alice = await holdall.register('alice');
  const visit = await begin({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  // On a busy machine, scripts that load when the page is idle could come before the list.
  await visit.context.addInitScript('window.requestIdleCallback = () => 0');
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) scripts.add(pathname);
  });
  await visit.logIn(alice, '/drive');
  await page.getByRole('row', { name: 'Documents' }).waitFor();
  const sizes = Array.from(scripts, (script) => {
    return [script, gzipSync(readFileSync(path.join(BUILT, script))).length] as const;
  });
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(sizes.length > 2 && bytes < MAX_BYTES, `${bytes} bytes: ${sizes.join(' ')}`);
});

test('the page has only the styles of the components that it uses', () => {
  const assets = path.join(BUILT, 'assets');
  const readAll = (extension: string) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(extension))
      .map((name) => readFileSync(path.join(assets, name), 'utf8'))
      .join('\n');
  const [scripts, styles] = [readAll('.js'), readAll('.css')];
  const sheets = path.dirname(
    createRequire(import.meta.url).resolve('@mantine/core/styles/Button.layer.css'),
  );
  const [missing, unused] = [new Set<string>(), new Set<string>()];
  for (const name of readdirSync(sheets).filter((each) => each.endsWith('.layer.css'))) {
    const sheet = readFileSync(path.join(sheets, name), 'utf8');
    // Every component has its own classes, which its script names.
    const classes = sheet.match(/\bm_[0-9a-f]{6,}\b/g) ?? [];
    if (classes.length === 0) continue;
    const isUsed = classes.some((each) => scripts.includes(each));
    const isThere = classes.every((each) => styles.includes(each));
    if (isUsed && !isThere) missing.add(name);
    if (!isUsed && isThere) unused.add(name);
  }
  assert.deepEqual({ missing: [...missing], unused: [...unused] }, { missing: [], unused: [] });
});

test('component styles keep the order of the library, where later rules override earlier ones', () => {
  const read = (file: string) => readFileSync(createRequire(import.meta.url).resolve(file), 'utf8');
  const list = readFileSync(path.join(BUILT, '..', 'src', 'ui', 'component-styles.ts'), 'utf8');
  const names = Array.from(list.matchAll(/^import '(.+)';$/gm), ([, name = '']) => name);
  assert.equal(names.length, list.match(/^import/gm)?.length);
  const all = read('@mantine/core/styles.layer.css');
  // The beginning of each style sheet, without the layer around it.
  const startOf = (name: string) =>
    read(name)
      .replace(/\s*\}\s*$/, '')
      .slice('@layer mantine {'.length, 300);
  const places = names.map((name) => all.indexOf(startOf(name)));
  assert.ok(!places.includes(-1));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  for (const base of ['baseline', 'default-css-variables', 'global']) {
    assert.ok(names.includes(`@mantine/core/styles/${base}.layer.css`), base);
  }
});
