// tier: default
// needs: process
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Durations } from './durations.ts';
import { type RunOptions, runJobs } from './run.ts';
import { inFull } from './tiers.ts';
import { waitUntil } from './wait-until.ts';

const root = await mkdtemp(path.join(tmpdir(), 'holdall-run-'));
after(() => rm(root, { recursive: true, force: true }));

const noProc = existsSync('/proc/self/stat') ? false : 'There is no /proc.';
const SPINS = `test('spins', () => { for (;;); });`;

test('every file runs, and its temporary files are removed', async () => {
  const { outcome, shown } = await runSources({
    'one.test.ts': `test('writes', () => {
      console.log(tmpdir()); writeFileSync(path.join(tmpdir(), 'left'), ''); throw new Error('to see the output');
    });`,
    'two.test.ts': `test('passes', () => {});`,
  });
  assert.deepEqual(outcome.jobs.map(({ passed, failed }) => [passed, failed]).sort(), [
    [0, 1],
    [1, 0],
  ]);
  const directory = /\S*holdall-tests-\S+/.exec(shown)?.[0] ?? '';
  assert.match(shown, /holdall-tests-/);
  assert.ok(!existsSync(directory), directory);
});

test('a failed check fails the run', async () => {
  const checks = [{ title: 'fails', command: ['--eval', 'process.exit(1)'] }];
  const { outcome, shown } = await runSources({ 'one.test.ts': `test('passes', () => {});` }, { checks });
  assert.equal(outcome.otherFailures, 1);
  assert.match(shown, /✖ fails/);
});

test('a full run fails if a statement ran only on SQLite', async () => {
  const statement = { text: 'select 1', engine: 'sqlite', file: 'one.test.ts', place: 'server/src/a.ts:1' };
  const sources = {
    'one.test.ts': `test('records', () => {
      const { HOLDALL_TEST_STATEMENTS = '' } = process.env;
      const file = path.join(HOLDALL_TEST_STATEMENTS, 'one.json');
      writeFileSync(file, ${JSON.stringify(JSON.stringify([statement]))});
    });`,
  };
  const { outcome, shown } = await runSources(sources, { isWhole: true, tier: 'full' });
  assert.equal(outcome.otherFailures, 1);
  assert.match(shown, /✖ A statement of server\/src\/a\.ts:1 ran on SQLite only; .* one\.test\.ts: select 1/);
});

test('a failed file runs once more, alone, and is a flake if it passes then', async () => {
  const { outcome, shown } = await runSources({
    'one.test.ts': `
      const marker = path.join(tmpdir(), 'ran');
      const isFirst = !existsSync(marker);
      writeFileSync(marker, '');
      test('fails once', () => { console.log(isFirst); if (isFirst) throw new Error('by chance'); });`,
    'two.test.ts': `test('always fails', () => { throw new Error('a defect'); });`,
    'three.test.ts': `test('passes', () => {});`,
  });
  const counts = outcome.jobs.map(({ job, passed, failed }) => [job.file, passed, failed]);
  assert.deepEqual(counts.sort(), [
    ['one.test.ts', 1, 0],
    ['three.test.ts', 1, 0],
    ['two.test.ts', 0, 1],
  ]);
  const [flake, ...others] = outcome.flakes;
  assert.ok(flake);
  assert.deepEqual(others, []);
  assert.match(flake.first.failures[0]?.test ?? '', /one\.test\.ts › fails once$/);
  assert.match(flake.first.failures[0]?.reason ?? '', /by chance/);
  assert.deepEqual([flake.first.output, flake.second.output], ['true', 'false']);
  assert.equal(shown.match(/runs once more/g)?.length, 2);
});

test('if many files fail, none runs again', inFull, async () => {
  const source = `test('fails', () => { throw new Error('a defect'); });`;
  const { outcome, shown } = await runSources(
    Object.fromEntries(Array.from({ length: 11 }, (_, place) => [`${place}.test.ts`, source])),
  );
  assert.equal(outcome.jobs.length, 11);
  assert.match(shown, /11 files failed: too many/);
});

test('tests can be chosen by a part of their names', async () => {
  const { outcome } = await runSources(
    {
      'one.test.ts': `describe('a star', () => {
        test('Survives a copy (once)', () => {});
        test('is counted', () => { throw new Error('not chosen'); });
      });`,
      'two.test.ts': `test('something else', () => { throw new Error('not chosen'); });`,
    },
    { name: 'star survives a copy (' },
  );
  const counts = outcome.jobs.map(({ job, passed, failed }) => [job.file, passed, failed]);
  assert.deepEqual(counts.sort(), [
    ['one.test.ts', 1, 0],
    ['two.test.ts', 0, 0],
  ]);
});

test('a test of a larger tier runs only there, and does not count as skipped', async () => {
  const { href } = new URL('./tiers.ts', import.meta.url);
  const sources = {
    'one.test.ts': `
      const { inFull } = await import('${href}');
      describe('only in full', inFull, () => { test('one', () => {}); });
      test('two', inFull, () => {});
      test('three', { ...inFull, timeout: 60_000 }, () => {});`,
  };
  const [inDefault, inFull] = [await runSources(sources), await runSources(sources, { tier: 'full' })];
  const counts = [inDefault, inFull].map(({ outcome }) =>
    outcome.jobs.map(({ passed, failed, skipped }) => [passed, failed, skipped]),
  );
  assert.deepEqual(counts, [[[0, 0, 0]], [[3, 0, 0]]]);
});

test('the processor time of a run includes that of its files', { skip: inFull.skip || noProc }, async () => {
  const { outcome } = await runSources({ 'one.test.ts': `test('passes', () => {});` });
  const ofFiles = outcome.jobs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  assert.ok(ofFiles > 0);
  assert.ok(outcome.cpuSeconds >= ofFiles, `${outcome.cpuSeconds} of ${ofFiles}`);
});

test('a run that reports nothing for a while is ended', inFull, async () => {
  const { outcome, shown } = await runSources({ 'one.test.ts': SPINS }, { silenceMs: 3_000 });
  assert.equal(outcome.otherFailures, 1);
  assert.match(shown, /The tests have reported nothing for 3 seconds/);
});

test('an interrupted run ends its files, starts no others, and fails', inFull, async () => {
  const sources = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`${place}.test.ts`, SPINS]));
  const { outcome, shown } = await runSources(sources, { signal: AbortSignal.timeout(1_500) });
  assert.ok(outcome.otherFailures > 0);
  assert.ok(outcome.jobs.length < 20);
  assert.match(shown, /The run was ended by/);
});

test('a program started by an interrupted file is killed', async () => {
  const { shown } = await runSources({
    'one.test.ts': `test('starts', async () => {
        const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
        child.unref();
        console.log('pid', child.pid);
        throw new Error('to see the output');
      });`,
  });
  const pid = Number(/pid (\d+)/.exec(shown)?.[1]);
  assert.ok(pid > 0, shown);
  // A killed process stays as a zombie until its status has been read.
  const isRunning = () => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  await waitUntil('the program ended', () => !isRunning());
});

async function runSources(sources: Readonly<Record<string, string>>, overrides: Partial<RunOptions> = {}) {
  const imports = [
    `import path from 'node:path'; import { describe, test } from 'node:test';`,
    `import { tmpdir } from 'node:os'; import { existsSync, writeFileSync } from 'node:fs'; import { spawn } from 'node:child_process';\n`,
  ].join(' ');
  for (const [name, source] of Object.entries(sources))
    await writeFile(path.join(root, name), imports + source);
  let shown = '';
  const show = (text: string) => {
    shown += text;
  };
  const environment = { ...process.env };
  // Node's runner refuses to run inside a test, which it recognises by this variable.
  delete process.env.NODE_TEST_CONTEXT;
  try {
    const jobs = Object.keys(sources).map((file) => ({ file, engine: undefined, needs: [] }));
    const durations = Durations.read(root, 'default');
    const signal = new AbortController().signal;
    const options = {
      root,
      tier: 'default' as const,
      seed: 1,
      checks: [],
      durations,
      show,
      signal,
      ...overrides,
    };
    return { outcome: await runJobs(jobs, options), shown };
  } finally {
    process.env = environment;
  }
}
