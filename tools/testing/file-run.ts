// Runs one test file with Node's test runner. Shows failures when they happen, and returns the counts.
import { once } from 'node:events';
import path from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

export interface FileRunOptions {
  /** Absolute. */
  readonly file: string;
  /** Passed to the file's process: the engine and the needs of this run, see guard.ts. */
  readonly words?: readonly string[];
  readonly show: (text: string) => void;
  /** Called whenever the file's process reports something. */
  readonly onReport?: () => void;
  /** Ends the run and its process. */
  readonly signal?: AbortSignal;
  readonly testTimeoutMs?: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const GUARD = path.join(import.meta.dirname, 'guard.ts');
/** Room for what a short process creates: without it the garbage collector takes a tenth of the time. */
const HEAP_OPTIONS = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

const root = path.dirname(path.dirname(import.meta.dirname));
const SHOWN_OUTPUT_CHARACTERS = 4_000;

/** Runs the file in its own process. A file without a test that ran, and one whose process ends badly, count as failed. */
export async function runTestFile(options: FileRunOptions): Promise<TestCounts> {
  const { file, words = [], show, onReport = () => {}, testTimeoutMs = 120_000 } = options;
  // A controller and not `AbortSignal.any`: the garbage collector may remove that one before it fires.
  const end = new AbortController();
  const endNow = () => end.abort();
  options.signal?.addEventListener('abort', endNow, { once: true });
  if (options.signal?.aborted) endNow();
  const events = run({
    files: [file],
    concurrency: 1,
    isolation: 'process',
    execArgv: ['--import', GUARD, `--test-timeout=${testTimeoutMs}`, ...HEAP_OPTIONS],
    argv: [...words],
    signal: end.signal,
  });

  const tally = new Tally(file, show);
  events.on('data', onReport);
  events.on('test:start', ({ name, nesting }) => tally.enter(name, nesting));
  events.on('test:pass', (test) => tally.pass(test));
  events.on('test:fail', (test) => tally.fail(test));
  events.on('test:stdout', ({ message }) => tally.keepOutput(message));
  events.on('test:stderr', ({ message }) => tally.keepOutput(message));
  try {
    await once(events, 'end');
  } finally {
    options.signal?.removeEventListener('abort', endNow);
  }
  tally.showOutputOfFailure();
  return tally.counts();
}

/** What the events of the runner have in common. */
interface TestResult {
  readonly name: string;
  readonly nesting: number;
  readonly line?: number | undefined;
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: Error };
}

class Tally {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  readonly #file: string;
  readonly #show: (text: string) => void;
  /** The names around the current test, outermost first. */
  readonly #names: string[] = [];
  #output = '';

  constructor(file: string, show: (text: string) => void) {
    this.#file = file;
    this.#show = show;
  }

  enter(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  pass(test: TestResult): void {
    if (this.#isWholeFile(test)) this.#count(test, 'The file has no test that ran to its end.');
    else if (test.details.type === 'suite') return;
    else if (test.skip !== undefined || test.todo !== undefined) this.#skipped += 1;
    else this.#passed += 1;
  }

  fail(test: TestResult): void {
    const { error } = test.details;
    const isEcho = error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed';
    if (isEcho && test.details.type === 'suite') return;
    this.#count(test, isEcho ? undefined : describeError(error));
  }

  keepOutput(message: string): void {
    this.#output = `${this.#output}${message}`.slice(-SHOWN_OUTPUT_CHARACTERS);
  }

  showOutputOfFailure(): void {
    const output = this.#output.trim();
    if (this.#failed > 0 && output !== '') {
      this.#show(`— the last output of ${nameOf(this.#file)}:\n${indent(output)}\n`);
    }
  }

  counts(): TestCounts {
    return { passed: this.#passed, failed: this.#failed, skipped: this.#skipped };
  }

  /** The runner reports a file without tests, and one whose process failed, as a test named after the file. */
  #isWholeFile({ name, nesting }: TestResult): boolean {
    return nesting === 0 && path.resolve(name) === this.#file;
  }

  /** Counts a failure. Without a reason a test inside has shown it already. */
  #count(test: TestResult, reason: string | undefined): void {
    this.#failed += 1;
    if (reason === undefined) return;
    const isWholeFile = this.#isWholeFile(test);
    const place = test.line === undefined || isWholeFile ? '' : `:${test.line}`;
    const names = isWholeFile ? [] : [...this.#names.slice(0, test.nesting), test.name];
    this.#show(`✖ ${[`${nameOf(this.#file)}${place}`, ...names].join(' › ')}\n${indent(reason)}\n`);
  }
}

/** The runner wraps what a test threw. */
function describeError(error: Error | undefined): string {
  const thrown = error?.cause instanceof Error ? error.cause : error;
  return thrown instanceof Error ? inspect(thrown) : String(thrown);
}

function nameOf(file: string): string {
  return path.relative(root, file);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
