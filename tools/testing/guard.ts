// Loaded into the process of every test file, before the file. It sets the variables that depend on the
// engine of this run, and closes two gaps: the test runner trusts a process that ends by itself, and waits
// for ever for one that does not. In a fresh clone it also stores compiled code for other processes.
import { flushCompileCache } from 'node:module';
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { reportCpuSeconds } from './cpu-time.ts';

/** Long enough for the `after` hooks of the file. */
const GRACE_MS = 120_000;

/** By then a file has loaded most of its modules. Node itself stores their compiled code only when a process ends. */
const LOADED_MS = 5_000;

// Workers and child programs inherit the option that loads this file; they hold no tests.
if (isMainThread && /(?:\.test|\/shared-process)\.ts$/.test(process.argv[1] ?? '')) {
  const words = process.argv.slice(2);
  const end = words.indexOf('--');
  chooseEngine(end === -1 ? words : words.slice(0, end));
  await record(process.argv[1] ?? '');
  watch();
  setTimeout(flushCompileCache, LOADED_MS).unref();
  after((context) => reportCpuSeconds(context, process.argv[1] ?? ''));
}

/** The runner passes the engine and the needs of this run as arguments: the variables of all engines are inherited. */
function chooseEngine(words: readonly string[]): void {
  const { env } = process;
  // A file that declares no engine must not open a database: it would be tested on one engine only, unnoticed.
  env.HOLDALL_TEST_DATABASE = words.includes('sqlite') ? 'sqlite' : 'none';
  if (words.includes('postgres') || words.includes('s3')) {
    env.HOLDALL_TEST_DATABASE = env.HOLDALL_TEST_POSTGRES;
  }
  if (!words.includes('s3') && !words.includes('bucket')) delete env.HOLDALL_TEST_S3;
  if (words.includes('disk')) env.TMPDIR = env.HOLDALL_TEST_DISK;
}

/** Only where it is asked for, and where a database may be opened. */
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
