// `npm test`: the checks and every test file of the default tier. The last line is `N passed, N failed`.
//
// npm test -- drive                  files with "drive" in their path, without the checks
// npm test -- stars --name copied    only the tests with "copied" in their names
// npm test -- --engine postgres      one of sqlite, postgres (with local disk), s3 (with PostgreSQL)
// npm test -- --full                 with every engine, theme and width, fresh seeds and faults
// npm test -- --long                 also runs the tests that take hours
// npm test -- --full --seed 7        repeats the random choices of a run
// npm test -- stars --watch          runs again whenever a source changes
// npm test -- stars --inspect        waits for a debugger
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listChecks } from './checks.ts';
import { describeBudget, readFullRun, writeFullRun } from './testing/budget.ts';
import { Durations } from './testing/durations.ts';
import { planRun, readRequest, type TestRequest } from './testing/plan.ts';
import {
  describeCostliest,
  describeFlakes,
  describeParts,
  describePrograms,
  listFiles,
  type Report,
} from './testing/report.ts';
import { type RunOutcome, runJobs } from './testing/run.ts';
import { runOnChange } from './testing/watch.ts';

/** Decides the random choices of the default tier. */
const FIXED_SEED = 1;

const root = path.dirname(import.meta.dirname);
const interruption = new AbortController();
// `on`, not `once`: a terminal and outer programs may send the same signal more than once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort(signal));

try {
  const words = process.argv.slice(2);
  const request = readRequest(words);
  if (request.isWatching) await runOnChange(root, words, interruption.signal);
  else await runOnce(request);
} catch (error) {
  show(`✖ ${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`);
  process.exitCode = 1;
}

async function runOnce(request: TestRequest): Promise<void> {
  const { name, tier, isInspected } = request;
  const { jobs, isWhole } = planRun(root, request);
  const seed = request.seed ?? (tier === 'default' ? FIXED_SEED : randomInt(2 ** 31));
  if (isWhole) show(`The ${tier} tests, with seed ${seed}.\n`);
  const startMs = performance.now();
  const durations = Durations.read(path.join(root, '.cache'), tier);
  const checks = isWhole ? listChecks() : [];
  const { signal } = interruption;
  const options = { root, tier, seed, name, isInspected, isWhole, checks, durations, show, signal };
  const outcome = await runJobs(jobs, options);
  durations.write();
  if (name !== undefined && isEmpty(outcome)) throw new Error(`No test has "${name}" in its name.`);
  const report = toReport(outcome, { tier, seed, seconds: (performance.now() - startMs) / 1_000 });
  writeReport(report);
  const isComplete = isWhole && !signal.aborted;
  if (isComplete && tier === 'full' && report.failed === 0) writeFullRun(report);
  describe(outcome, report, isComplete);
  if (report.failed > 0) process.exitCode = 1;
}

function isEmpty({ jobs, otherFailures }: RunOutcome): boolean {
  return otherFailures === 0 && jobs.every(({ passed, failed, skipped }) => passed + failed + skipped === 0);
}

function toReport(
  { jobs, otherFailures, flakes, cpuSeconds, sharedCpuSeconds }: RunOutcome,
  run: Pick<Report, 'tier' | 'seed' | 'seconds'>,
): Report {
  return {
    ...run,
    endedAt: new Date().toISOString(),
    cpuSeconds,
    sharedCpuSeconds: Object.fromEntries(sharedCpuSeconds),
    passed: jobs.reduce((sum, job) => sum + job.passed, 0),
    failed: jobs.reduce((sum, job) => sum + job.failed, otherFailures),
    flaky: flakes.flatMap(({ first }) => first.failures.map(({ test }) => test)),
    files: listFiles(jobs),
  };
}

function writeReport(report: Report): void {
  const file = path.join(root, '.cache', 'test-report.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
}

function describe(outcome: RunOutcome, report: Report, isComplete: boolean): void {
  const { seed, tier, cpuSeconds, passed, failed, flaky } = report;
  show(
    describeCostliest(outcome.jobs) +
      describePrograms(outcome.sharedCpuSeconds) +
      describeParts(outcome.jobs),
  );
  if (isComplete && tier === 'default') show(describeBudget(cpuSeconds, readFullRun()));
  else show(`Processor time: ${cpuSeconds.toFixed(0)} s.\n`);
  const seconds = Math.round(report.seconds);
  show(`The run took ${Math.floor(seconds / 60)} min ${seconds % 60} s, with seed ${seed}.\n`);
  show(describeFlakes(outcome.flakes));
  if (flaky.length > 0) show(`${flaky.length} FLAKY: repair each before you hand in.\n`);
  show(`${passed} passed, ${failed} failed\n`);
}

function show(text: string): void {
  process.stdout.write(text);
}
