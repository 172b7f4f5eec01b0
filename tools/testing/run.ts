// Runs the checks and the test files in one queue, on resources that are started for this run.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Check, runChecks } from '../checks.ts';
import { CleanupProcess } from '../processes/cleanup-process.ts';
import { batchJobs } from './batches.ts';
import type { Durations } from './durations.ts';
import { runTestFiles } from './file-run.ts';
import { killLeftoverProcesses } from './leftover-processes.ts';
import { replaceS3, type TestJob } from './plan.ts';
import { runQueue } from './queue.ts';
import type { Flake, JobOutcome } from './report.ts';
import { type MissingResource, Resources } from './resources.ts';
import { SharedCpu } from './shared-cpu.ts';
import { findUncoveredStatements, readRunStatements } from './statement-coverage.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';
import type { Tier } from './tiers.ts';

export interface RunOptions {
  /** The directory of the repository. */
  readonly root: string;
  readonly tier: Tier;
  /** Decides the random choices of the tests. */
  readonly seed: number;
  /** Only the tests whose name contains this text run. */
  readonly name?: string | undefined;
  /** Whether to wait for a debugger before the only file is loaded. */
  readonly isInspected?: boolean;
  /** Whether each file runs in a separate process. Otherwise files share processes if they can. */
  readonly isAlone?: boolean;
  /**
   * Whether all test files run. If so, with `--full`, every statement must run on PostgreSQL as well as
   * SQLite.
   */
  readonly isWhole?: boolean;
  readonly checks: readonly Check[];
  readonly durations: Durations;
  readonly show: (text: string) => void;
  /** Ends the run and its processes. */
  readonly signal: AbortSignal;
  /** After this time without any report, the run is ended. Longer than a test may take. */
  readonly silenceMs?: number;
}

export interface RunOutcome {
  readonly jobs: readonly JobOutcome[];
  /** Failures that belong to no test file. */
  readonly otherFailures: number;
  readonly flakes: readonly Flake[];
  /** The processor time of the run with all of its programs; 0 if unknown. */
  readonly cpuSeconds: number;
  /** The processor time of the programs that files share: databases, the object store, the browser. */
  readonly sharedCpuSeconds: ReadonlyMap<string, number>;
}

/** Node's usual port, reachable only from this machine. */
const INSPECTOR = '127.0.0.1:9229';

const SILENCE_MS = 360_000;
/** The maximum of a timer, because a debugger may stop a test for any time. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** So high that the checks start first, because the type checks use every core. */
const CHECK_SECONDS = 1_000;

/** If more files fail, something is broken, and running them all again would only waste time. */
const MAX_REPEATED_FILES = 10;

/** Resolves with the outcome when everything has ended; after the signal, once all processes are gone. */
export async function runJobs(jobs: readonly TestJob[], options: RunOptions): Promise<RunOutcome> {
  const temporary = createTemporaryDirectory();
  const cleanup = new CleanupProcess(temporary);
  prepareEnvironment(temporary, options);
  const isCovered = options.isWhole === true && options.tier !== 'default';
  const statements = isCovered ? recordStatements(temporary) : undefined;
  const resources = new Resources(jobs);
  const run = new Run(resources, options);
  const checks = options.checks.map((check) => ({
    expectedSeconds: CHECK_SECONDS,
    ready: Promise.resolve(),
    run: () => run.check(check),
  }));
  const expect = (job: TestJob) => options.durations.expect(job);
  const isAlone = options.isAlone === true || options.name !== undefined;
  const batches = isAlone ? jobs.map((job) => [job]) : batchJobs(jobs, expect);
  const tests = batches.map((batch) => ({
    expectedSeconds: batch.reduce((sum, job) => sum + expect(job), 0),
    ready: Promise.all(batch.map((job) => resources.waitFor(job))),
    run: () => run.test(batch, (job) => replaceS3(job, jobs)),
  }));
  try {
    await runQueue([...checks, ...tests], run.signal);
    await run.repeatFailed();
    return run.finish(statements);
  } finally {
    await resources.stop();
    killLeftoverProcesses(temporary);
    await cleanup.run();
  }
}

class Run {
  readonly #resources: Resources;
  readonly #options: RunOptions;
  readonly #end = new AbortController();
  readonly #watchdog: NodeJS.Timeout;
  readonly #sharedCpu = new SharedCpu();
  readonly #outcomes: JobOutcome[] = [];
  readonly #flakes: Flake[] = [];
  readonly #missing = new Map<string, { readonly reason: string; readonly files: Set<string> }>();
  #otherFailures = 0;
  #checks = 0;

  constructor(resources: Resources, options: RunOptions) {
    this.#resources = resources;
    this.#options = options;
    const { signal, isInspected, silenceMs = isInspected ? NO_LIMIT_MS : SILENCE_MS } = options;
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
   * @param batch jobs with the same engine and needs
   * @param replace returns the job that runs instead if there is no S3 store
   */
  async test(
    batch: readonly TestJob[],
    replace: (job: TestJob) => TestJob | undefined = () => undefined,
  ): Promise<void> {
    const [first] = batch;
    const missing = first && (await this.#resources.findMissing(first));
    if (missing === undefined) {
      this.#outcomes.push(...(await this.#runFiles(batch)));
      return;
    }
    for (const job of batch) {
      const replacement = missing.name === 's3' ? replace(job) : undefined;
      this.#addMissing(missing, replacement === undefined ? job.file : undefined);
      if (replacement !== undefined) await this.test([replacement]);
    }
  }

  /**
   * Runs each failed file once more, alone. If it passes then, it counts as passed and as a flake: a fault of
   * the test or of the program that shows only occasionally.
   */
  async repeatFailed(): Promise<void> {
    const failed = this.#outcomes.filter(({ failed }) => failed > 0);
    if (failed.length === 0 || this.signal.aborted || this.#options.isInspected) return;
    if (failed.length > MAX_REPEATED_FILES) {
      this.#options.show(`${failed.length} files failed: too many to run them again.\n`);
      return;
    }
    for (const first of failed) {
      this.#options.show(`… ${first.job.file} runs once more, alone.\n`);
      const [second] = await this.#runFiles([first.job]);
      // It is missing only after an interruption.
      if (second === undefined) return;
      this.#outcomes.splice(this.#outcomes.indexOf(first), 1, second);
      if (second.failed === 0) this.#flakes.push({ first, second });
    }
  }

  /**
   * Counts each resource that could not be started as one failure, with the files that were left out.
   * @param statements the directory with the record of all statements
   */
  finish(statements: string | undefined): RunOutcome {
    clearTimeout(this.#watchdog);
    // Files that did not run might have run further statements.
    const isComplete = this.#missing.size === 0 && !this.#end.signal.aborted;
    if (statements !== undefined && isComplete) {
      for (const sentence of findUncoveredStatements(readRunStatements(statements))) this.#fail(sentence);
    }
    for (const { reason, files } of this.#missing.values()) {
      const leftOut = files.size === 0 ? '' : ` Left out: ${[...files].join(', ')}.`;
      this.#fail(`${reason}${leftOut}`);
    }
    return {
      jobs: this.#outcomes,
      otherFailures: this.#otherFailures,
      flakes: this.#flakes,
      ...this.#sharedCpu.end(),
    };
  }

  /** Returns one outcome for each file, or fewer after an interruption. */
  async #runFiles(batch: readonly TestJob[]): Promise<readonly JobOutcome[]> {
    const { root, durations, show, tier, name, isInspected = false } = this.#options;
    const [first] = batch;
    if (first === undefined) return [];
    const sharedSeconds: number[] = [];
    const startNext = () => {
      const ended = batch[sharedSeconds.length];
      if (ended !== undefined) sharedSeconds.push(this.#sharedCpu.stop(ended));
      const next = batch[sharedSeconds.length];
      if (next !== undefined) this.#sharedCpu.start(next);
    };
    this.#sharedCpu.start(first);
    const outcomes = await runTestFiles({
      files: batch.map(({ file }) => path.join(root, file)),
      words: [...(first.engine === undefined ? [] : [first.engine]), ...first.needs],
      show,
      name,
      inspector: isInspected ? INSPECTOR : undefined,
      onReport: () => this.#watchdog.refresh(),
      onFileEnd: startNext,
      showsOutput: tier === 'long' || isInspected,
      signal: this.#end.signal,
    });
    return batch.flatMap((job, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) return [];
      if (!this.#end.signal.aborted && name === undefined) durations.set(job, outcome.seconds);
      return [{ ...outcome, job, cpuSeconds: outcome.cpuSeconds + (sharedSeconds[index] ?? 0) }];
    });
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

/** Prepares the environment that test files and their programs inherit. */
function prepareEnvironment(temporary: string, { root, tier, seed }: RunOptions): void {
  const { env } = process;
  env.HOLDALL_TEST_DISK = tmpdir();
  env.TMPDIR = temporary;
  // Types are stripped and scripts compiled only once, not in each process.
  env.NODE_COMPILE_CACHE = path.join(root, '.cache', 'compile');
  env.HOLDALL_TEST_TIER = tier;
  env.HOLDALL_TEST_SEED = String(seed);
}

/** Lets the test files record their statements (statement-record.ts). Returns the directory of the record. */
function recordStatements(temporary: string): string {
  const directory = path.join(temporary, 'statements');
  mkdirSync(directory);
  process.env.HOLDALL_TEST_STATEMENTS = directory;
  return directory;
}
