// `npm test`: the checks, then every test file, those with a database on SQLite and local disk and once more on PostgreSQL
// and S3. The last line of the output is `N passed, N failed` for all of it.
//
// npm test -- drive                  files with "drive" in their path
// npm test -- --engine postgres      one of sqlite, postgres (with local disk), s3 (with PostgreSQL)
import path from 'node:path';
import { listChecks, runChecks } from './checks.ts';
import { environmentOf, startEngines, stopEngines, type TestEngines } from './test-engines.ts';
import { listTestFiles, planParts, readRequest, type TestPart, withoutS3 } from './test-plan.ts';
import { prepareProgramsOf } from './test-programs.ts';
import { runTestFiles } from './test-run.ts';

const root = path.dirname(import.meta.dirname);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort(signal));

let passed = 0;
let failed = 0;
try {
  await runAll();
} catch (error) {
  failed += 1;
  show(`✖ ${error instanceof Error ? error.message : `ended by ${error}`}\n`);
}
show(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(): Promise<void> {
  const request = readRequest(process.argv.slice(2));
  const files = listTestFiles(root);
  const wanted = planParts(files, request);
  const [checks, engines, programs] = await Promise.allSettled([
    runChecks(listChecks(), show),
    startEngines(wanted),
    prepareProgramsOf([...new Set(wanted.flatMap((part) => part.files))]),
  ]);
  try {
    const complaints = outcomeOf(checks).length;
    if (complaints === 0) show('✔ checks\n');
    failed += complaints;
    if (wanted.length === 0) throw new Error('There is no such test file.');
    const { missingS3 } = outcomeOf(engines);
    const missing = outcomeOf(programs);
    for (const sentence of [...(missingS3 === undefined ? [] : [missingS3]), ...missing.map(toSentence)]) {
      failed += 1;
      show(`✖ ${sentence}\n`);
    }
    const cannotRun = missing.flatMap((program) => program.files);
    const parts = planParts(
      files.filter((file) => !cannotRun.includes(file)),
      missingS3 === undefined ? request : withoutS3(request),
    );
    for (const part of parts) await runPart(part, outcomeOf(engines));
    interruption.signal.throwIfAborted();
  } finally {
    if (engines.status === 'fulfilled') await stopEngines(engines.value);
  }
}

async function runPart(part: TestPart, engines: TestEngines): Promise<void> {
  if (interruption.signal.aborted) return;
  // The processes of the test files inherit our environment.
  for (const [name, value] of Object.entries(environmentOf(part, engines))) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const { title, files } = part;
  const start = performance.now();
  const counts = await runTestFiles({
    files: files.map((file) => path.join(root, file)),
    show,
    signal: interruption.signal,
  });
  passed += counts.passed;
  failed += counts.failed;
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} SKIPPED`;
  const outcome = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
  show(`${counts.failed === 0 ? '✔' : '✖'} ${title}: ${outcome} (${files.length} files, ${seconds} s)\n`);
}

function toSentence({ sentence, files }: { sentence: string; files: readonly string[] }): string {
  return `Left out: ${files.join(', ')}. ${sentence}`;
}

function outcomeOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function show(text: string): void {
  process.stdout.write(text);
}
