// Runs test files with the runner of Node and says little: failures when they happen, and the counts at the end.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

export interface TestRunOptions {
  /** Absolute. */
  readonly files: readonly string[];
  readonly show: (text: string) => void;
  /** Ends the run and its processes. */
  readonly signal?: AbortSignal;
  readonly testTimeoutMs?: number;
  /** After so long a silence of all files together the run is given up. Longer than a test may take. */
  readonly silenceMs?: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const GUARD = path.join(import.meta.dirname, 'test-guard.ts');
const SHOWN_OUTPUT_CHARACTERS = 4_000;

/**
 * As many files at a time as there are cores, each in a process of its own. A file without a test that ran, and
 * one whose process ends badly, count as failed tests.
 */
export async function runTestFiles(options: TestRunOptions): Promise<TestCounts> {
  const { files, show, testTimeoutMs = 120_000, silenceMs = 240_000 } = options;
  // One controller and no `AbortSignal.any`: that one is forgotten by the garbage collector before it fires.
  const end = new AbortController();
  const endNow = () => end.abort();
  options.signal?.addEventListener('abort', endNow, { once: true });
  const events = run({
    files: [...files],
    concurrency: availableParallelism(),
    isolation: 'process',
    execArgv: ['--import', GUARD, `--test-timeout=${testTimeoutMs}`],
    signal: end.signal,
  });

  const tally = new Tally(files, show);
  const watchdog = setTimeout(() => {
    show(`✖ Nothing was heard of the tests for ${silenceMs / 1_000} seconds; they are given up.\n`);
    endNow();
  }, silenceMs);
  events.on('data', () => watchdog.refresh());
  events.on('test:start', ({ name, nesting }) => tally.enter(name, nesting));
  events.on('test:pass', (test) => tally.pass(test));
  events.on('test:fail', (test) => tally.fail(test));
  events.on('test:stdout', ({ file, message }) => tally.keepOutput(file, message));
  events.on('test:stderr', ({ file, message }) => tally.keepOutput(file, message));
  try {
    await once(events, 'end');
  } finally {
    clearTimeout(watchdog);
    options.signal?.removeEventListener('abort', endNow);
  }
  tally.showOutputOfFailed();
  return tally.counts();
}

/** What the events of the runner have in common. */
interface TestResult {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: Error };
}

class Tally {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  readonly #files: ReadonlySet<string>;
  readonly #show: (text: string) => void;
  /** The names around the test that is told of now, outermost first. */
  readonly #names: string[] = [];
  readonly #output = new Map<string, string>();
  readonly #failedFiles = new Set<string>();

  constructor(files: readonly string[], show: (text: string) => void) {
    this.#files = new Set(files);
    this.#show = show;
  }

  enter(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  pass(test: TestResult): void {
    if (this.#isWholeFile(test)) this.#count(test, 'holds no test that ran to its end');
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

  keepOutput(file: string | undefined, message: string): void {
    if (file === undefined) return;
    this.#output.set(file, `${this.#output.get(file) ?? ''}${message}`.slice(-SHOWN_OUTPUT_CHARACTERS));
  }

  showOutputOfFailed(): void {
    for (const file of this.#failedFiles) {
      const output = this.#output.get(file)?.trim();
      if (output) this.#show(`— what ${nameOf(file)} said last:\n${indent(output)}\n`);
    }
  }

  counts(): TestCounts {
    return { passed: this.#passed, failed: this.#failed, skipped: this.#skipped };
  }

  #isWholeFile({ name, nesting }: TestResult): boolean {
    return nesting === 0 && this.#files.has(path.resolve(name));
  }

  /** A failure; without a text it was told by a test inside and counts only. */
  #count(test: TestResult, why: string | undefined): void {
    this.#failed += 1;
    const file = test.file ?? test.name;
    this.#failedFiles.add(file);
    if (why === undefined) return;
    const place = test.line === undefined || this.#isWholeFile(test) ? '' : `:${test.line}`;
    const names = this.#isWholeFile(test) ? [] : [...this.#names.slice(0, test.nesting), test.name];
    this.#show(`✖ ${[`${nameOf(file)}${place}`, ...names].join(' › ')}\n${indent(why)}\n`);
  }
}

/** The runner wraps what a test threw. */
function describeError(error: Error | undefined): string {
  const thrown = error?.cause instanceof Error ? error.cause : error;
  return thrown instanceof Error ? inspect(thrown) : String(thrown);
}

function nameOf(file: string): string {
  return path.relative(path.dirname(import.meta.dirname), file);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
