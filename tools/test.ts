// `npm test`: the checks and every test file. The last line of the output is `N passed, N failed`.
//
// npm test -- drive                  files with "drive" in their path
// npm test -- --engine postgres      one of sqlite, postgres (with local disk), s3 (with PostgreSQL)
// npm test -- --long                 with the tests that take minutes
import path from 'node:path';
import { listChecks } from './checks.ts';
import { Durations } from './testing/durations.ts';
import { isWholeRun, listTestFiles, planJobs, readRequest } from './testing/plan.ts';
import { describeParts, describeSlowest } from './testing/report.ts';
import { type RunOutcome, runJobs } from './testing/run.ts';

const root = path.dirname(import.meta.dirname);
const interruption = new AbortController();
// Every time: a terminal and the programs around this one may send the same signal more than once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort(signal));

const startMs = performance.now();
const { jobs, otherFailures } = await runAll();
show(describeSlowest(jobs) + describeParts(jobs));
const seconds = Math.round((performance.now() - startMs) / 1_000);
show(`The run took ${Math.floor(seconds / 60)} min ${seconds % 60} s.\n`);
const passed = jobs.reduce((sum, job) => sum + job.passed, 0);
const failed = jobs.reduce((sum, job) => sum + job.failed, otherFailures);
show(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(): Promise<RunOutcome> {
  try {
    const request = readRequest(process.argv.slice(2));
    const planned = planJobs(root, listTestFiles(root), request);
    if (planned.length === 0) throw new Error('There is no such test file.');
    const durations = Durations.read(path.join(root, '.cache', 'test-seconds.json'));
    const outcome = await runJobs(planned, {
      root,
      isLong: request.isLong,
      isWhole: isWholeRun(request),
      checks: listChecks(),
      durations,
      show,
      signal: interruption.signal,
    });
    durations.write();
    return outcome;
  } catch (error) {
    show(`✖ ${error instanceof Error ? error.message : error}\n`);
    return { jobs: [], otherFailures: 1 };
  }
}

function show(text: string): void {
  process.stdout.write(text);
}
