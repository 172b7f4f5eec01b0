// tier: full
// needs: process
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from './wait-until.ts';
import { runOnChange } from './watch.ts';

const root = await mkdtemp(path.join(tmpdir(), 'holdall-watch-'));
after(() => rmSync(root, { recursive: true, force: true }));
const runs = path.join(root, 'runs');
const readRuns = () => readFileSync(runs, 'utf8').split('\n').slice(0, -1);

test('tests run again when a source changes, but not when something is built', async () => {
  for (const folder of ['server/dist', 'web', 'client', 'cli', 'tools', 'bench']) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  writeFileSync(runs, '');
  const program = `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(runs)}, process.argv.slice(2).join(' ') + '\\n');`;
  writeFileSync(path.join(root, 'tools', 'test.ts'), program);
  const end = new AbortController();
  const watching = runOnChange(root, ['stars', '--watch', '--name', 'a copy'], end.signal);
  await waitUntil('the tests run', () => readRuns().length === 1);
  writeFileSync(path.join(root, 'server', 'dist', 'main.js'), 'built');
  for (const count of [2, 3]) {
    // Backup files, as editors write them.
    writeFileSync(path.join(root, 'server', 'stars.ts~'), `change ${count}`);
    renameSync(path.join(root, 'server', 'stars.ts~'), path.join(root, 'server', 'stars.ts'));
    await waitUntil('the tests run again', () => readRuns().length >= count);
  }
  assert.deepEqual(new Set(readRuns()), new Set(['stars --name a copy']));
  end.abort();
  await watching;
});

test('a change during a run ends that run, and the tests run again', async () => {
  writeFileSync(runs, '');
  const program = `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(runs)}, 'starts\\n');
    setInterval(() => {}, 1000);`;
  writeFileSync(path.join(root, 'tools', 'test.ts'), program);
  const end = new AbortController();
  const watching = runOnChange(root, ['--watch'], end.signal);
  await waitUntil('the tests run', () => readRuns().length === 1);
  writeFileSync(path.join(root, 'web', 'page.tsx'), 'changed');
  await waitUntil('the tests run again', () => readRuns().length >= 2);

  end.abort();
  await watching;
});
