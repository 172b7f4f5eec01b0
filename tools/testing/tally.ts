// Counts what Node's test runner reports about the files of one process, and shows the failures.
import path from 'node:path';
import { inspect } from 'node:util';
import { ONLY_IN_FULL } from './tiers.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface TestFailure {
  /**
   * The file and the names of the test, such as `server/test/drive/stars.test.ts › a star › survives a copy`.
   */
  readonly test: string;
  readonly reason: string;
}

export interface FileOutcome extends TestCounts {
  /** Absolute. */
  readonly file: string;
  /** The start of the process counts towards its first file. */
  readonly seconds: number;
  /** Processor time of the process and of the programs that it started; 0 if unknown. */
  readonly cpuSeconds: number;
  readonly failures: readonly TestFailure[];
  /** The last output of the file. */
  readonly output: string;
}

/** The common part of the runner's events. */
interface TestResult {
  readonly name: string;
  readonly nesting: number;
  readonly line?: number | undefined;
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: Error };
}

interface TallyOptions {
  /** Absolute paths, in the order in which they run. */
  readonly files: readonly string[];
  /** The file that the process was started with. It is shared-process.ts if there are several files. */
  readonly process: string;
  readonly show: (text: string) => void;
  /** Whether a file may pass without any test, because tests are chosen by name. */
  readonly mayBeEmpty?: boolean;
  /** Called when a file has ended. */
  readonly onFileEnd?: () => void;
}

const root = path.dirname(path.dirname(import.meta.dirname));
const SHOWN_OUTPUT_CHARACTERS = 4_000;

export class Tally {
  readonly #options: TallyOptions;
  readonly #outcomes: Omit<FileOutcome, 'cpuSeconds'>[] = [];
  readonly #cpuSeconds = new Map<string, number>();
  #current: FileTally;

  constructor(options: TallyOptions) {
    this.#options = options;
    this.#current = new FileTally(options.files[0] ?? options.process, options);
  }

  enter(name: string, nesting: number): void {
    if (!this.#isShared) this.#current.enter(name, nesting);
    else if (nesting > 0) this.#current.enter(name, nesting - 1);
  }

  pass(test: TestResult): void {
    if (this.#isWholeProcess(test)) return;
    if (this.#isWholeFile(test)) this.#endFile();
    else this.#current.pass(this.#inFile(test));
  }

  fail(test: TestResult): void {
    if (this.#isWholeProcess(test)) this.#current.fail(test, { isWholeFile: true });
    else if (this.#isWholeFile(test)) {
      this.#current.fail(test, { isWholeFile: true });
      this.#endFile();
    } else this.#current.fail(this.#inFile(test), { isWholeFile: false });
  }

  setCpuSeconds(file: string, seconds: number): void {
    this.#cpuSeconds.set(file, seconds);
  }

  addOutput(message: string): void {
    this.#current.addOutput(message);
  }

  /**
   * Returns the outcomes. A file that the process did not reach counts as failed, unless the process was
   * interrupted.
   */
  finish({ isInterrupted }: { readonly isInterrupted: boolean }): readonly FileOutcome[] {
    const { files } = this.#options;
    if (isInterrupted && this.#outcomes.length < files.length) this.#endFile();
    else while (this.#outcomes.length < files.length) this.#endFile();
    return this.#outcomes.map((one) => ({ ...one, cpuSeconds: this.#cpuSeconds.get(one.file) ?? 0 }));
  }

  get #isShared(): boolean {
    return this.#options.files.length > 1;
  }

  /** In a shared process, each file is itself a test, so its tests are one level deeper. */
  #inFile(test: TestResult): TestResult {
    return this.#isShared ? { ...test, nesting: test.nesting - 1 } : test;
  }

  /** The runner reports a process without tests, and one that failed, as a test named after its file. */
  #isWholeProcess({ name, nesting }: TestResult): boolean {
    return nesting === 0 && path.resolve(name) === this.#options.process;
  }

  #isWholeFile({ name, nesting }: TestResult): boolean {
    return this.#isShared && nesting === 0 && name === this.#current.file;
  }

  #endFile(): void {
    this.#outcomes.push(this.#current.finish());
    const next = this.#options.files[this.#outcomes.length];
    if (next !== undefined) this.#current = new FileTally(next, this.#options);
    this.#options.onFileEnd?.();
  }
}

class FileTally {
  readonly file: string;
  readonly #startMs = performance.now();
  readonly #options: Pick<TallyOptions, 'show' | 'mayBeEmpty'>;
  /** The names around the current test, outermost first. */
  readonly #names: string[] = [];
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  /** The number of tests and suites that belong to another tier. */
  #left = 0;
  readonly #failures: TestFailure[] = [];
  #output = '';

  constructor(file: string, options: Pick<TallyOptions, 'show' | 'mayBeEmpty'>) {
    this.file = file;
    this.#options = options;
  }

  enter(name: string, nesting: number): void {
    this.#names.length = nesting;
    this.#names[nesting] = name;
  }

  pass(test: TestResult): void {
    if (test.skip === ONLY_IN_FULL) this.#left += 1;
    else if (test.details.type === 'suite') return;
    else if (test.skip !== undefined || test.todo !== undefined) this.#skipped += 1;
    else this.#passed += 1;
  }

  fail(test: TestResult, { isWholeFile }: { readonly isWholeFile: boolean }): void {
    const { error } = test.details;
    // A nested test has failed, which was already shown.
    const isEcho = error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed';
    if (isEcho && (isWholeFile || test.details.type === 'suite')) return;
    this.#failed += 1;
    if (isEcho) return;
    const place = test.line === undefined || isWholeFile ? '' : `:${test.line}`;
    const names = isWholeFile ? [] : [...this.#names.slice(0, test.nesting), test.name];
    this.#addFailure({ place, names, reason: describeError(error) });
  }

  addOutput(message: string): void {
    this.#output = `${this.#output}${message}`.slice(-SHOWN_OUTPUT_CHARACTERS);
  }

  finish(): Omit<FileOutcome, 'cpuSeconds'> {
    const count = this.#passed + this.#failed + this.#skipped + this.#left;
    if (count === 0 && this.#options.mayBeEmpty !== true) {
      this.#failed += 1;
      this.#addFailure({ place: '', names: [], reason: 'The file has no test that ran to its end.' });
    }
    const output = this.#output.trim();
    if (this.#failed > 0 && output !== '') {
      this.#options.show(`— the last output of ${nameOf(this.file)}:\n${indent(output)}\n`);
    }
    const seconds = (performance.now() - this.#startMs) / 1_000;
    return {
      file: this.file,
      seconds,
      passed: this.#passed,
      failed: this.#failed,
      skipped: this.#skipped,
      failures: this.#failures,
      output,
    };
  }

  #addFailure({ place, names, reason }: { place: string; names: readonly string[]; reason: string }): void {
    const file = nameOf(this.file);
    this.#failures.push({ test: [file, ...names].join(' › '), reason });
    this.#options.show(`✖ ${[`${file}${place}`, ...names].join(' › ')}\n${indent(reason)}\n`);
  }
}

/** Unwraps the error, because the runner wraps what a test threw. */
function describeError(error: Error | undefined): string {
  const thrown = error?.cause instanceof Error ? error.cause : error;
  return thrown instanceof Error ? inspect(thrown) : String(thrown);
}

function nameOf(file: string): string {
  return path.relative(root, file);
}

export function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
