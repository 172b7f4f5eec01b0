// Loaded into every test process before the test file. It sets the variables for the engine of this run, and
// closes two gaps: the test runner trusts a process that ends early, and waits forever for one that does not
// end. In a fresh clone, it also stores compiled code for other processes.
import { flushCompileCache } from 'node:module';
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { reportCpuSeconds } from './cpu-time.ts';

/** Long enough for the `after` hooks of the file. */
const GRACE_MS = 120_000;

/**
 * After this time, a file has loaded most modules. Node itself stores compiled code only when a process ends.
 */
const LOADED_MS = 5_000;

// Workers and child programs also load this file, because they inherit the option, but they run no tests.
if (isMainThread && /(?:\.test|\/shared-process)\.ts$/.test(process.argv[1] ?? '')) {
  const words = process.argv.slice(2);
  const end = words.indexOf('--');
  chooseEngine(end === -1 ? words : words.slice(0, end));
  await record(process.argv[1] ?? '');
  watch();
  setTimeout(flushCompileCache, LOADED_MS).unref();
  after((context) => reportCpuSeconds(context, process.argv[1] ?? ''));
}

/**
 * The engine and needs are passed as arguments, because the inherited environment has those of all engines.
 */
function chooseEngine(words: readonly string[]): void {
  const { env } = process;
  // A file without a declared engine must not open a database: it would be tested on only one, unnoticed.
  env.HOLDALL_TEST_DATABASE = words.includes('sqlite') ? 'sqlite' : 'none';
  if (words.includes('postgres') || words.includes('s3')) {
    env.HOLDALL_TEST_DATABASE = env.HOLDALL_TEST_POSTGRES;
  }
  if (!words.includes('s3') && !words.includes('bucket')) delete env.HOLDALL_TEST_S3;
  if (words.includes('disk')) env.TMPDIR = env.HOLDALL_TEST_DISK;
}

/** Records the statements of a file, if requested and if the file may open a database. */
async function record(file: string): Promise<void> {
  const { HOLDALL_TEST_STATEMENTS: directory, HOLDALL_TEST_DATABASE: database } = process.env;
  if (directory === undefined || database === undefined || database === 'none') return;
  const { recordStatements } = await import('./statement-record.ts');
  recordStatements(directory, database === 'sqlite' ? 'sqlite' : 'postgres', file);
}

function watch(): void {
  let isOver = false;
  after(() => {
    isOver = true;
    setTimeout(complain, GRACE_MS).unref();
  });
  process.on('exit', () => {
    if (isOver || process.exitCode) return;
    process.stderr.write('The process ended before its tests had.\n');
    process.exitCode = 1;
  });
}

function complain(): void {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`The tests are over, but these keep the process alive: ${open}.\n`);
  process.exit(1);
}
