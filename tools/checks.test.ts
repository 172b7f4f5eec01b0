// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChecks } from './checks.ts';

const saying = (code: number, words: string) => ({
  title: `ends with ${code}`,
  command: ['--eval', `process.stdout.write(${JSON.stringify(words)}); process.exitCode = ${code}`],
});

test('only failed checks are shown, with their output', async () => {
  let shown = '';
  const failed = await runChecks(
    [saying(0, 'all is well'), saying(1, 'this is wrong'), saying(0, '')],
    (text) => {
      shown += text;
    },
  );
  assert.deepEqual(
    failed.map(({ title }) => title),
    ['ends with 1'],
  );
  assert.equal(shown, '✖ ends with 1\nthis is wrong\n');
});

test('a check that cannot start counts as failed', async () => {
  const missing = { title: 'missing', command: ['not-there.mjs'] };
  assert.deepEqual(await runChecks([missing], () => {}), [missing]);
});
