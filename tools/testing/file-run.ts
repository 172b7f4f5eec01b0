// Runs test files with Node's test runner. Shows failures when they happen, and returns the counts of each file.
import { once } from 'node:events';
import path from 'node:path';
import { run } from 'node:test';
import { parseCpuReport } from './cpu-time.ts';
import { type FileOutcome, Tally } from './tally.ts';

export interface FileRunOptions {
  /** Absolute. Several run one after the other in one process. */
  readonly files: readonly string[];
  /** Passed to the process: the engine and the needs of this run, see guard.ts. */
  readonly words?: readonly string[];
  readonly show: (text: string) => void;
  /** Called whenever the process reports something. */
  readonly onReport?: () => void;
  /** Ends the run and its process. */
  readonly signal?: AbortSignal;
  readonly testTimeoutMs?: number;
  /** Runs only the tests whose name, with the names around it, contains this text in any case. */
  readonly name?: string | undefined;
  /** Waits at this address and port for a debugger before the file is loaded. Then a test has no timeout. */
  readonly inspector?: string | undefined;
  /** Called when one of the files has ended. */
  readonly onFileEnd?: () => void;
  /** Shows what tests print and report as it comes, for runs of minutes. Otherwise only that of failed files. */
  readonly showsOutput?: boolean;
}

/** Longer than a page waits for anything (web-visit.ts), so that the wait that failed is named. */
const TEST_TIMEOUT_MS = 300_000;
const CHEAP_PROMISES = path.join(import.meta.dirname, 'cheap-promises.ts');
const GUARD = path.join(import.meta.dirname, 'guard.ts');
const SHARED_PROCESS = path.join(import.meta.dirname, 'shared-process.ts');
/** Room for what a short process creates: without it the garbage collector takes a tenth of the time. */
const HEAP_OPTIONS = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * Runs the files in one process of their own. A file without a test that ran, and one whose process ends badly,
 * count as failed.
 */
export async function runTestFiles(options: FileRunOptions): Promise<readonly FileOutcome[]> {
  const {
    files,
    words = [],
    show,
    onReport = () => {},
    testTimeoutMs = TEST_TIMEOUT_MS,
    showsOutput = false,
    name,
    inspector,
    onFileEnd = () => {},
  } = options;
  const [file = SHARED_PROCESS, ...others] = files;
  const isShared = others.length > 0;
  // A controller and not `AbortSignal.any`: the garbage collector may remove that one before it fires.
  const end = new AbortController();
  const endNow = () => end.abort();
  options.signal?.addEventListener('abort', endNow, { once: true });
  if (options.signal?.aborted) endNow();
  const events = run({
    files: [isShared ? SHARED_PROCESS : file],
    concurrency: 1,
    isolation: 'process',
    execArgv: [
      '--import',
      CHEAP_PROMISES,
      '--import',
      GUARD,
      `--test-timeout=${inspector === undefined ? testTimeoutMs : 0}`,
      ...HEAP_OPTIONS,
      ...(inspector === undefined ? [] : [`--inspect-wait=${inspector}`]),
    ],
    ...(name === undefined ? {} : { testNamePatterns: new RegExp(escapePattern(name), 'i') }),
    argv: isShared ? [...words, '--', ...files] : [...words],
    signal: end.signal,
  });

  const tally = new Tally({
    files,
    process: isShared ? SHARED_PROCESS : file,
    show,
    mayBeEmpty: name !== undefined,
    onFileEnd,
  });
  events.on('data', onReport);
  events.on('test:start', ({ name, nesting }) => tally.enter(name, nesting));
  events.on('test:pass', (test) => tally.pass(test));
  events.on('test:fail', (test) => tally.fail(test));
  const addOutput = (message: string) => {
    tally.addOutput(message);
    if (showsOutput) show(message);
  };
  events.on('test:stdout', ({ message }) => addOutput(message));
  events.on('test:stderr', ({ message }) => addOutput(message));
  // Those without a file are counts of the runner.
  events.on('test:diagnostic', ({ message, ...report }) => {
    const cpu = parseCpuReport(message);
    if (cpu !== undefined) tally.setCpuSeconds(cpu.file, cpu.seconds);
    else if (showsOutput && report.file !== undefined) show(`ℹ ${message}\n`);
  });
  try {
    await once(events, 'end');
  } finally {
    options.signal?.removeEventListener('abort', endNow);
  }
  return tally.finish({ isInterrupted: end.signal.aborted });
}

/** Gives a text as a pattern that finds just this text. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
