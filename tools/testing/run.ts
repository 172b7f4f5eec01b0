// Runs the checks and the test files in one queue, on resources that are started for this run.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Check, runChecks } from '../checks.ts';
import { LastWill } from '../last-will.ts';
import type { Durations } from './durations.ts';
import { runTestFile } from './file-run.ts';
import { killLeftoverProcesses } from './leftover-processes.ts';
import { replaceS3, type TestJob } from './plan.ts';
import { runQueue } from './queue.ts';
import type { JobOutcome } from './report.ts';
import { type MissingResource, Resources } from './resources.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

export interface RunOptions {
  /** The directory of the repository. */
  readonly root: string;
  /** Whether the tests that take minutes run too. */
  readonly isLong: boolean;
  readonly checks: readonly Check[];
  readonly durations: Durations;
  readonly show: (text: string) => void;
  /** Ends the run and its processes. */
  readonly signal: AbortSignal;
  /** How long all files together may report nothing before the run is ended. Longer than a test may take. */
  readonly silenceMs?: number;
}

export interface RunOutcome {
  readonly jobs: readonly JobOutcome[];
  /** Failures that belong to no test file. */
  readonly otherFailures: number;
}

const SILENCE_MS = 240_000;

/** The checks start first: the type checks use every core. */
const CHECK_SECONDS = 1_000;

/** Resolves with the outcome when everything has ended; after the signal, when all processes are gone. */
export async function runJobs(jobs: readonly TestJob[], options: RunOptions): Promise<RunOutcome> {
  const temporary = createTemporaryDirectory();
  const will = new LastWill(temporary);
  prepareEnvironment(temporary, options);
  const resources = new Resources(jobs);
  const run = new Run(resources, options);
  const checks = options.checks.map((check) => ({
    expectedSeconds: CHECK_SECONDS,
    ready: Promise.resolve(),
    run: () => run.check(check),
  }));
  const tests = jobs.map((job) => ({
    expectedSeconds: options.durations.expect(job),
    ready: resources.waitFor(job),
    run: () => run.test(job, replaceS3(job, jobs)),
  }));
  try {
    await runQueue([...checks, ...tests], run.signal);
    return run.finish();
  } finally {
    await resources.stop();
    killLeftoverProcesses(temporary);
    await will.execute();
  }
}

class Run {
  readonly #resources: Resources;
  readonly #options: RunOptions;
  readonly #end = new AbortController();
  readonly #watchdog: NodeJS.Timeout;
  readonly #outcomes: JobOutcome[] = [];
  readonly #missing = new Map<string, { readonly reason: string; readonly files: Set<string> }>();
  #otherFailures = 0;
  #checks = 0;

  constructor(resources: Resources, options: RunOptions) {
    this.#resources = resources;
    this.#options = options;
    const { signal, silenceMs = SILENCE_MS } = options;
    const endBySignal = () => {
      this.#fail(`The run was ended by ${signal.reason}.`);
      this.#end.abort();
    };
    if (signal.aborted) endBySignal();
    else signal.addEventListener('abort', endBySignal, { once: true });
    this.#watchdog = setTimeout(() => {
      this.#fail(`The tests have reported nothing for ${silenceMs / 1_000} seconds; the run is ended.`);
      this.#end.abort();
    }, silenceMs);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  async check(check: Check): Promise<void> {
    const failed = await runChecks([check], this.#options.show);
    this.#otherFailures += failed.length;
    this.#checks += 1;
    if (this.#checks === this.#options.checks.length && this.#otherFailures === 0)
      this.#options.show('✔ checks\n');
  }

  /** @param replacement runs where there is no S3 store */
  async test(job: TestJob, replacement: TestJob | undefined): Promise<void> {
    const missing = await this.#resources.findMissing(job);
    if (missing === undefined) await this.#runFile(job);
    else {
      const isReplaced = missing.name === 's3' && replacement !== undefined;
      this.#keepMissing(missing, isReplaced ? undefined : job.file);
      if (isReplaced) await this.test(replacement, undefined);
    }
  }

  /** Counts what could not be started: one failure for each, with the files that were left out. */
  finish(): RunOutcome {
    clearTimeout(this.#watchdog);
    for (const { reason, files } of this.#missing.values()) {
      const leftOut = files.size === 0 ? '' : ` Left out: ${[...files].join(', ')}.`;
      this.#fail(`${reason}${leftOut}`);
    }
    return { jobs: this.#outcomes, otherFailures: this.#otherFailures };
  }

  async #runFile(job: TestJob): Promise<void> {
    const { root, durations, show } = this.#options;
    const start = performance.now();
    const counts = await runTestFile({
      file: path.join(root, job.file),
      words: [...(job.engine === undefined ? [] : [job.engine]), ...job.needs],
      show,
      onReport: () => this.#watchdog.refresh(),
      signal: this.#end.signal,
    });
    const seconds = (performance.now() - start) / 1_000;
    this.#outcomes.push({ job, seconds, ...counts });
    if (!this.#end.signal.aborted) durations.set(job, seconds);
  }

  #keepMissing({ name, reason }: MissingResource, file: string | undefined): void {
    const known = this.#missing.get(name) ?? { reason, files: new Set() };
    if (file !== undefined) known.files.add(file);
    this.#missing.set(name, known);
  }

  #fail(sentence: string): void {
    this.#otherFailures += 1;
    this.#options.show(`✖ ${sentence}\n`);
  }
}

/** Test files and the programs that they start inherit this. */
function prepareEnvironment(temporary: string, { root, isLong }: RunOptions): void {
  const { env } = process;
  env.HOLDALL_TEST_DISK = tmpdir();
  env.TMPDIR = temporary;
  // Types are stripped and scripts compiled once, not once in each process.
  env.NODE_COMPILE_CACHE = path.join(root, '.cache', 'compile');
  if (isLong) env.HOLDALL_TEST_LONG = 'yes';
}
