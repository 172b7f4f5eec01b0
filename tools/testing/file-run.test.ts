// tier: default
// needs: process
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findFreePorts } from '../processes/free-ports.ts';
import { type FileRunOptions, runTestFiles } from './file-run.ts';
import { inFull } from './tiers.ts';
import { waitUntil } from './wait-until.ts';

const noProc = existsSync('/proc/self/stat') ? false : 'There is no /proc.';

test('tests, nested tests and tests in suites are counted, suites are not', async () => {
  const { counts } = await runSource(`
    test('outer', async (t) => { await t.test('inner', () => {}); });
    describe('a suite', () => { test('in a suite', () => {}); });
  `);
  assert.deepEqual(counts, { passed: 3, failed: 0, skipped: 0 });
});

test('a failure is shown with its file, line, names, error and the output of the file', async () => {
  const { counts, shown } = await runSource(`
    console.log('some output');
    describe('a suite', () => { test('goes wrong', () => assert.equal(1, 2)); });
    test('goes well', () => {});
  `);
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.match(shown, /✖ .*made-up\.test\.ts:\d+ › a suite › goes wrong\n +AssertionError/);
  assert.match(shown, /some output/);
});

test('a file that passes shows nothing', async () => {
  const { shown } = await runSource(`console.log('noise'); test('goes well', () => {});`);
  assert.equal(shown, '');
});

test('a long run shows immediately what tests print and report', async () => {
  const { shown } = await runSource(
    `test('reports', (t) => { console.log('halfway'); t.diagnostic('all of it'); });`,
    { showsOutput: true },
  );
  assert.match(shown, /^halfway$/m);
  assert.match(shown, /^ℹ all of it$/m);
  assert.doesNotMatch(shown, /^ℹ tests \d/m);
});

test('skipped tests do not count as passed', async () => {
  const { counts } = await runSource(`
    test('later', { skip: true }, () => {});
    test('some day', { todo: true }, () => {});
    test('now', () => {});
  `);
  assert.deepEqual(counts, { passed: 1, failed: 0, skipped: 2 });
});

for (const [what, source, options = {}] of [
  ['a file without a test', ''],
  ['a file that cannot be loaded', `import './not-there.ts';`],
  ['a hook that fails', `after(() => { throw new Error('too late'); }); test('goes well', () => {});`],
  [
    'a hook of a suite that fails',
    `describe('s', () => { after(() => { throw 1; }); test('x', () => {}); });`,
  ],
  [
    'an error after the tests',
    `test('x', () => { setTimeout(() => { throw new Error('late'); }, 50); });`,
    inFull,
  ],
  ['a process that ends during its tests', `test('x', () => {}); test('y', () => process.exit(0));`],
] as const) {
  test(`${what} is a failure`, options, async () => {
    const { counts, shown } = await runSource(source);
    assert.ok(counts.failed > 0, shown);
    assert.match(shown, /✖ .*made-up\.test\.ts/);
  });
}

test('a test that takes too long fails, and the others still run', inFull, async () => {
  const { counts, shown } = await runSource(
    `test('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 20_000).unref()); });
     test('goes well', () => {});`,
    { testTimeoutMs: 1_000 },
  );
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.match(shown, /timed out after 1000ms/);
});

test('an interrupted run ends', inFull, async () => {
  const { counts } = await runSource(`test('spins', () => { for (;;); });`, {
    signal: AbortSignal.timeout(1_500),
  });
  assert.ok(counts.failed > 0);
});

test('a file finds the engine of this run, and no database if it declares none', async () => {
  const expecting = (database: string, words: readonly string[]) =>
    runSource(
      `test('x', () => assert.deepEqual([process.env.HOLDALL_TEST_DATABASE, process.env.HOLDALL_TEST_S3], ${database}));`,
      { words },
    );
  process.env.HOLDALL_TEST_POSTGRES = 'postgres://here';
  const runs = await Promise.all([
    expecting(`['none', undefined]`, []),
    expecting(`['sqlite', undefined]`, ['sqlite']),
    expecting(`['postgres://here', undefined]`, ['postgres', 'nginx']),
  ]);
  for (const { counts, shown } of runs) assert.equal(counts.passed, 1, shown);
});

test('an inspected file waits for a debugger and stops at breakpoints', inFull, async () => {
  const inspector = `127.0.0.1:${await findFreePorts(1)}`;
  const file = runSource(`test('stops', () => { debugger; });`, { inspector });
  const socket = new WebSocket(await findDebugger(inspector));
  const scripts = new Map<string, string>();
  const paused: (string | undefined)[] = [];
  const send = (method: string) => socket.send(JSON.stringify({ id: 1, method }));
  // https://chromedevtools.github.io/devtools-protocol/v8/Debugger/
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data));
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url);
    if (method === 'Debugger.paused') {
      paused.push(scripts.get(params.callFrames[0].location.scriptId));
      send('Debugger.resume');
    }
    // Otherwise the process would wait for the end of the connection before it ends.
    if (method === 'Debugger.resumed') socket.close();
  });
  await once(socket, 'open');
  for (const method of ['Debugger.enable', 'Runtime.runIfWaitingForDebugger']) send(method);
  const { counts } = await file;
  assert.deepEqual(counts, { passed: 1, failed: 0, skipped: 0 });
  assert.deepEqual([paused.length, path.basename(paused[0] ?? 'nowhere')], [1, 'made-up.test.ts']);
});

async function findDebugger(inspector: string): Promise<string> {
  let url = '';
  await waitUntil('the file waits for a debugger', async () => {
    const response = await fetch(`http://${inspector}/json/list`).catch(() => undefined);
    if (response === undefined) return false;
    // https://nodejs.org/learn/getting-started/debugging
    const [program] = (await response.json()) as readonly [{ readonly webSocketDebuggerUrl: string }];
    url = program.webSocketDebuggerUrl;
    return true;
  });
  return url;
}

test('files that share a process are run in order and counted separately', async () => {
  const log = (text: string) => `console.log('${text}');`;
  const { outcomes, shown } = await runSources([
    `${log('first')} after(() => { ${log('first ends')} }); test('x', () => {});`,
    `${log('second')} describe('s', () => { test('y', () => assert.equal(1, 2)); }); test('z', () => {});`,
    '',
    `${log('last')} test('skipped', { skip: true }, () => {}); test('x', () => { throw new Error('seen'); });`,
  ]);
  assert.deepEqual(
    outcomes.map(({ passed, failed, skipped }) => [passed, failed, skipped]),
    [
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
      [0, 1, 1],
    ],
  );
  assert.match(shown, /✖ .*made-up-1\.test\.ts:\d+ › s › y\n +AssertionError/);
  assert.match(shown, /✖ .*made-up-2\.test\.ts\n +The file has no test/);
  assert.match(shown, /✖ .*made-up-3\.test\.ts:\d+ › x\n +Error: seen/);
});

test('work registered for the end of a file runs after its hooks and before the next file', async () => {
  const { href } = pathToFileURL(path.join(import.meta.dirname, 'file-end.ts'));
  const { outcomes, shown } = await runSources([
    `import { onFileEnd } from '${href}';
     globalThis.log = [];
     onFileEnd(() => log.push('end'));
     after(() => log.push('hook'));
     test('x', () => assert.deepEqual(log, []));`,
    `assert.deepEqual(log, ['hook', 'end']); test('y', () => {});`,
    `assert.deepEqual(log, ['hook', 'end']); test('z', () => {});`,
  ]);
  assert.deepEqual(
    outcomes.map(({ passed, failed }) => [passed, failed]),
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
    shown,
  );
});

test('the processor time of each file is measured, also in a shared process', {
  skip: inFull.skip || noProc,
}, async () => {
  const busy = `test('x', () => { const { user } = process.cpuUsage(); while (process.cpuUsage().user < user + 1_500_000) for (let i = 0; i < 1e6; i++); });`;
  const idle = `test('x', () => {});`;
  const [alone, shared] = await Promise.all([runSources([busy]), runSources([idle, busy, idle])]);
  const seconds = [...alone.outcomes, ...shared.outcomes].map(({ cpuSeconds }) => cpuSeconds);
  assert.deepEqual(
    seconds.map((one) => one >= 1.2),
    [true, false, true, false],
    `${seconds}`,
  );
});

for (const [what, source] of [
  ['cannot be loaded', `import './not-there.ts';`],
  ['fails in a hook', `after(() => { throw new Error('too late'); }); test('goes well', () => {});`],
] as const) {
  test(`a file that ${what} does not stop those that share its process`, async () => {
    const { outcomes, shown } = await runSources([source, `test('goes well', () => {});`]);
    assert.ok(outcomes[0] && outcomes[0].failed > 0, shown);
    assert.deepEqual([outcomes[1]?.passed, outcomes[1]?.failed], [1, 0], shown);
  });
}

test('an error outside all tests fails one of the files that share the process', async () => {
  const { outcomes, shown } = await runSources([
    `test('x', () => { setImmediate(() => { throw new Error('late'); }); });`,
    `test('goes well', () => {});`,
  ]);
  assert.ok(outcomes.some(({ failed }) => failed > 0));
  assert.match(shown, /late/);
});

test('a file may take longer than the limit for one test', inFull, async () => {
  const waits = `test('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 1_600)); });`;
  const { outcomes, shown } = await runSources([`${waits} ${waits}`, waits], { testTimeoutMs: 3_000 });
  assert.deepEqual(
    outcomes.map(({ passed, failed }) => [passed, failed]),
    [
      [2, 0],
      [1, 0],
    ],
    shown,
  );
});

test('a process that ends early fails all files it has not reached', async () => {
  const { outcomes } = await runSources([`test('x', () => process.exit(0));`, `test('y', () => {});`]);
  assert.ok(outcomes.every(({ failed }) => failed > 0));
});

type Overrides = Partial<Omit<FileRunOptions, 'files' | 'show'>>;

async function runSource(source: string, overrides: Overrides = {}) {
  const { outcomes, shown } = await runSources([source], overrides);
  const [{ passed, failed, skipped } = { passed: 0, failed: 0, skipped: 0 }] = outcomes;
  return { counts: { passed, failed, skipped }, shown };
}

async function runSources(sources: readonly string[], overrides: Overrides = {}) {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-made-up-'));
  after(() => rm(directory, { recursive: true, force: true }));
  const imports = `import { after, describe, test } from 'node:test'; import assert from 'node:assert/strict';\n`;
  const files = sources.map((_, place) =>
    path.join(directory, sources.length === 1 ? 'made-up.test.ts' : `made-up-${place}.test.ts`),
  );
  for (const [place, file] of files.entries()) await writeFile(file, `${imports}${sources[place]}`);
  let shown = '';
  const show = (text: string) => {
    shown += text;
  };
  // Node's runner refuses to run inside a test, which it recognises by this variable.
  const context = process.env.NODE_TEST_CONTEXT;
  delete process.env.NODE_TEST_CONTEXT;
  try {
    return { outcomes: await runTestFiles({ files, show, ...overrides }), shown };
  } finally {
    if (context !== undefined) process.env.NODE_TEST_CONTEXT = context;
  }
}
