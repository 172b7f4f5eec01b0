// Runs test files with Node's test runner. Shows failures when they happen, and returns the counts of each
// file.
import { once } from 'node:events';
import path from 'node:path';
import { run } from 'node:test';
import { parseCpuReport } from './cpu-time.ts';
import { type FileOutcome, Tally } from './tally.ts';

export interface FileRunOptions {
  /** Absolute paths. Several files run one after the other in one process. */
  readonly files: readonly string[];
  /** Arguments for the process: the engine and the needs of this run, see guard.ts. */
  readonly words?: readonly string[];
  readonly show: (text: string) => void;
  /** Called whenever the process reports something. */
  readonly onReport?: () => void;
  /** Ends the run and its process. */
  readonly signal?: AbortSignal;
  readonly testTimeoutMs?: number;
  /** Runs only the tests whose full name contains this text, ignoring case. */
  readonly name?: string | undefined;
  /**
   * The address and port where the process waits for a debugger before it loads the file. Disables timeouts.
   */
  readonly inspector?: string | undefined;
  /** Called when one of the files has ended. */
  readonly onFileEnd?: () => void;
  /**
   * Shows the output of tests immediately, for runs of minutes. Otherwise only that of failed files is shown.
   */
  readonly showsOutput?: boolean;
}

/** Longer than a page waits for anything (web-visit.ts), so that the error names the wait that failed. */
const TEST_TIMEOUT_MS = 300_000;
const CHEAP_PROMISES = path.join(import.meta.dirname, 'cheap-promises.ts');
const GUARD = path.join(import.meta.dirname, 'guard.ts');
const SHARED_PROCESS = path.join(import.meta.dirname, 'shared-process.ts');
/**
 * More room for new objects. Otherwise the garbage collector takes a tenth of the time of a short process.
 */
const HEAP_OPTIONS = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * Runs the files in one separate process. A file counts as failed if none of its tests ran, or if its process
 * ended abnormally.
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
  // Not `AbortSignal.any`, because the garbage collector may remove its signal before it fires.
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
  // Diagnostics without a file are the runner's own counts.
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

/** Converts a text to a pattern that matches exactly this text. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
