// Proves that the default tests are not flaky. It takes an hour or more, and nothing else should run
// meanwhile.
//
// node tools/node.mjs tools/testing/prove.ts alone             every file 20 times, in separate processes
// node tools/node.mjs tools/testing/prove.ts alone drive       the files with "drive" in their path node
// tools/node.mjs tools/testing/prove.ts loaded            5 whole runs while `yes` keeps every core busy …
// --times 3                                                  sets the number of times
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Durations } from './durations.ts';
import { planRun, readRequest } from './plan.ts';
import { describeFlakes } from './report.ts';
import { runJobs } from './run.ts';

const root = path.join(import.meta.dirname, '..', '..');
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort(signal));

const { values, positionals } = parseArgs({
  options: { times: { type: 'string' } },
  allowPositionals: true,
});
const [kind, ...filters] = positionals;
if (kind === 'alone') process.exitCode = await proveAlone(filters, Number(values.times ?? 20));
else if (kind === 'loaded') process.exitCode = await proveLoaded(Number(values.times ?? 5));
else {
  show('Usage: prove.ts alone [part of a path …] [--times 20], or prove.ts loaded [--times 5]\n');
  process.exitCode = 1;
}

/** Runs each file several times. Returns the exit code: 1 if any of these runs failed. */
async function proveAlone(filters: readonly string[], times: number): Promise<number> {
  const { jobs } = planRun(root, readRequest(filters));
  const repeated = jobs.flatMap((job) => Array.from({ length: times }, () => ({ ...job })));
  const outcome = await runJobs(repeated, {
    root,
    tier: 'default',
    seed: 1,
    isAlone: true,
    checks: [],
    durations: Durations.read(path.join(root, '.cache'), 'default'),
    show,
    signal: interruption.signal,
  });
  const failed = outcome.jobs.filter((job) => job.failed > 0).length;
  show(describeFlakes(outcome.flakes));
  show(
    `${jobs.length} files, each ${times} times alone: ${outcome.jobs.length} runs, ${outcome.flakes.length} ` +
      `failed by chance, ${failed} failed twice, ${outcome.otherFailures} other failures; ` +
      `${outcome.cpuSeconds.toFixed(0)} s of processor time.\n`,
  );
  return failed + outcome.flakes.length + outcome.otherFailures === 0 ? 0 : 1;
}

/** Runs all files several times while all cores are busy. Returns 1 if one of these runs failed. */
async function proveLoaded(times: number): Promise<number> {
  const load = Array.from({ length: availableParallelism() }, () => spawn('yes', { stdio: 'ignore' }));
  let failed = 0;
  try {
    for (let turn = 1; turn <= times && !interruption.signal.aborted; turn += 1) {
      const startMs = performance.now();
      const run = spawn(process.execPath, [path.join(root, 'tools', 'test.ts')], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
      const isGood = code === 0 && !output.includes('FLAKY');
      if (!isGood) failed += 1;
      const lines = output.trim().split('\n');
      const minutes = ((performance.now() - startMs) / 60_000).toFixed(1);
      show(isGood ? '' : `${output}\n`);
      show(`Run ${turn} of ${times} under load: ${isGood ? 'green' : 'NOT GREEN'}, ${minutes} min, `);
      show(`${lines.find((line) => line.startsWith('Processor time')) ?? ''} ${lines.at(-1)}\n`);
    }
  } finally {
    for (const program of load) program.kill();
  }
  return failed === 0 ? 0 : 1;
}

function show(words: string): void {
  process.stdout.write(words);
}
