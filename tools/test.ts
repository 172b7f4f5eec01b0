// `npm test`: the checks, then every test file, those with a database once on each engine. The last line of the
// output is `N passed, N failed` for all of it.
//
// npm test -- drive                  files with "drive" in their path
// npm test -- --engine postgres      one engine
import path from 'node:path';
import { listChecks, runChecks } from './checks.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Engine, listTestFiles, planParts, readRequest, type TestPart } from './test-plan.ts';
import { runTestFiles } from './test-run.ts';

const root = path.dirname(import.meta.dirname);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort(signal));

let passed = 0;
let failed = 0;
let postgres: Postgres | undefined;
try {
  const parts = planParts(listTestFiles(root), readRequest(process.argv.slice(2)));
  failed += (await runChecks(listChecks(), show)).length;
  if (failed === 0) show('✔ checks\n');
  if (parts.some(({ engine }) => engine === 'postgres')) postgres = await startPostgres({ fsync: false });
  if (parts.length === 0) throw new Error('There is no such test file.');
  for (const part of parts) await runPart(part);
  interruption.signal.throwIfAborted();
} catch (error) {
  failed += 1;
  show(`✖ ${error instanceof Error ? error.message : `ended by ${error}`}\n`);
} finally {
  await postgres?.stop();
}
show(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runPart({ title, engine, files }: TestPart): Promise<void> {
  if (interruption.signal.aborted) return;
  chooseDatabase(engine);
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

/** The processes of the test files inherit our environment. */
function chooseDatabase(engine: Engine | undefined): void {
  const address = engine === 'postgres' ? postgres?.url : engine;
  if (address === undefined) delete process.env.HOLDALL_TEST_DATABASE;
  else process.env.HOLDALL_TEST_DATABASE = address;
}

function show(text: string): void {
  process.stdout.write(text);
}
