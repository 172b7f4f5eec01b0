// Runs the checks and the test files in one queue, on resources that are started for this run.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Check, runChecks } from '../checks.ts';
import { LastWill } from '../processes/last-will.ts';
import { batchJobs } from './batches.ts';
import { readCpuSecondsByProgram } from './cpu-time.ts';
import type { Durations } from './durations.ts';
import { runTestFiles } from './file-run.ts';
import { killLeftoverProcesses } from './leftover-processes.ts';
import { replaceS3, type TestJob } from './plan.ts';
import { runQueue } from './queue.ts';
import { describePrograms, type JobOutcome } from './report.ts';
import { type MissingResource, Resources } from './resources.ts';
import { findUncoveredStatements, readRunStatements } from './statement-coverage.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

export interface RunOptions {
  /** The directory of the repository. */
  readonly root: string;
  /** Whether the tests that take minutes run too. */
  readonly isLong: boolean;
  /** Whether all test files run. Then every statement that runs on SQLite has to run on PostgreSQL, too. */
  readonly isWhole?: boolean;
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

const SILENCE_MS = 360_000;

/** The checks start first: the type checks use every core. */
const CHECK_SECONDS = 1_000;

/** Resolves with the outcome when everything has ended; after the signal, when all processes are gone. */
export async function runJobs(jobs: readonly TestJob[], options: RunOptions): Promise<RunOutcome> {
  const temporary = createTemporaryDirectory();
  const will = new LastWill(temporary);
  prepareEnvironment(temporary, options);
  const statements = options.isWhole ? recordStatements(temporary) : undefined;
  const resources = new Resources(jobs);
  const run = new Run(resources, options);
  const checks = options.checks.map((check) => ({
    expectedSeconds: CHECK_SECONDS,
    ready: Promise.resolve(),
    run: () => run.check(check),
  }));
  const expect = (job: TestJob) => options.durations.expect(job);
  const tests = batchJobs(jobs, expect).map((batch) => ({
    expectedSeconds: batch.reduce((sum, job) => sum + expect(job), 0),
    ready: Promise.all(batch.map((job) => resources.waitFor(job))),
    run: () => run.test(batch, (job) => replaceS3(job, jobs)),
  }));
  try {
    await runQueue([...checks, ...tests], run.signal);
    return run.finish(statements);
  } finally {
    options.show(describePrograms(readCpuSecondsByProgram(process.pid)));
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
    this.#watchdog.refresh();
    this.#otherFailures += failed.length;
    this.#checks += 1;
    if (this.#checks === this.#options.checks.length && this.#otherFailures === 0)
      this.#options.show('✔ checks\n');
  }

  /**
   * @param batch has one engine and the same needs
   * @param replace returns what runs instead of a job where there is no S3 store
   */
  async test(
    batch: readonly TestJob[],
    replace: (job: TestJob) => TestJob | undefined = () => undefined,
  ): Promise<void> {
    const [first] = batch;
    const missing = first && (await this.#resources.findMissing(first));
    if (missing === undefined) {
      await this.#runFiles(batch);
      return;
    }
    for (const job of batch) {
      const replacement = missing.name === 's3' ? replace(job) : undefined;
      this.#addMissing(missing, replacement === undefined ? job.file : undefined);
      if (replacement !== undefined) await this.test([replacement]);
    }
  }

  /**
   * Counts what could not be started: one failure for each, with the files that were left out.
   * @param statements the directory of the record of all statements
   */
  finish(statements: string | undefined): RunOutcome {
    clearTimeout(this.#watchdog);
    // Files that did not run would have run other statements.
    const isComplete = this.#missing.size === 0 && !this.#end.signal.aborted;
    if (statements !== undefined && isComplete) {
      for (const sentence of findUncoveredStatements(readRunStatements(statements))) this.#fail(sentence);
    }
    for (const { reason, files } of this.#missing.values()) {
      const leftOut = files.size === 0 ? '' : ` Left out: ${[...files].join(', ')}.`;
      this.#fail(`${reason}${leftOut}`);
    }
    return { jobs: this.#outcomes, otherFailures: this.#otherFailures };
  }

  async #runFiles(batch: readonly TestJob[]): Promise<void> {
    const { root, durations, show, isLong } = this.#options;
    const [first] = batch;
    if (first === undefined) return;
    const outcomes = await runTestFiles({
      files: batch.map(({ file }) => path.join(root, file)),
      words: [...(first.engine === undefined ? [] : [first.engine]), ...first.needs],
      show,
      onReport: () => this.#watchdog.refresh(),
      showsOutput: isLong,
      signal: this.#end.signal,
    });
    for (const [index, job] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) continue;
      this.#outcomes.push({ ...outcome, job });
      if (!this.#end.signal.aborted) durations.set(job, outcome.seconds);
    }
  }

  #addMissing({ name, reason }: MissingResource, file: string | undefined): void {
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

/** Lets the test files record their statements (statement-record.ts). Returns the directory of the record. */
function recordStatements(temporary: string): string {
  const directory = path.join(temporary, 'statements');
  mkdirSync(directory);
  process.env.HOLDALL_TEST_STATEMENTS = directory;
  return directory;
}
