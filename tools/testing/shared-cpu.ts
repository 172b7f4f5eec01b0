// Measures the processor time of a run, and divides that of the programs that test files share among the files.
import { readCpuSeconds, readCpuTimes } from './cpu-time.ts';
import type { TestJob } from './plan.ts';
import { requirementsOf } from './resources.ts';

type Program = 'postgres' | 's3' | 'browser';

/** The names of their processes. */
const PROCESSES: Readonly<Record<Program, RegExp>> = {
  postgres: /^postgres/,
  s3: /^(?:radosgw|ceph-)/,
  browser: /chrom|headless_shell/,
};
const PROGRAMS = ['postgres', 's3', 'browser'] as const;

/** Short enough that few files begin or end in between. */
const INTERVAL_MS = 1_000;

/**
 * Estimates how much of each shared program's time is for each job: what it takes in a second is divided equally
 * among the jobs that need the program and run in that second.
 */
export class SharedCpu {
  readonly #running = new Set<TestJob>();
  readonly #seconds = new Map<TestJob, number>();
  readonly #totals = new Map<Program, number>();
  readonly #startSeconds = readCpuSeconds(process.pid);
  #lastSeconds = this.#startSeconds;
  /** Of processes whose parents were killed: nothing that belongs to the run contains their time any more. */
  #lostSeconds = 0;
  readonly #timer = setInterval(() => this.#measure(), INTERVAL_MS).unref();

  start(job: TestJob): void {
    if (!usesShared(job)) return;
    this.#measure();
    this.#running.add(job);
  }

  /** Returns the seconds of the programs for this job so far. */
  stop(job: TestJob): number {
    if (!usesShared(job)) return 0;
    this.#measure();
    this.#running.delete(job);
    return this.#seconds.get(job) ?? 0;
  }

  /** Ends the measurement. Returns the seconds of the whole run, and of each shared program. */
  end(): { readonly cpuSeconds: number; readonly sharedCpuSeconds: ReadonlyMap<Program, number> } {
    this.#measure();
    clearInterval(this.#timer);
    return {
      cpuSeconds: this.#lastSeconds - this.#startSeconds + this.#lostSeconds,
      sharedCpuSeconds: this.#totals,
    };
  }

  #measure(): void {
    const { seconds, byProgram } = readCpuTimes(process.pid);
    this.#lostSeconds += Math.max(0, this.#lastSeconds - seconds);
    this.#lastSeconds = seconds;
    this.#divide(byProgram);
  }

  #divide(seconds: ReadonlyMap<string, number>): void {
    for (const program of PROGRAMS) {
      const names = [...seconds.keys()].filter((name) => PROCESSES[program].test(name));
      const total = names.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0);
      const added = total - (this.#totals.get(program) ?? 0);
      // Less after one of its processes has ended.
      this.#totals.set(program, Math.max(total, this.#totals.get(program) ?? 0));
      const users = [...this.#running].filter((job) => requirementsOf(job).includes(program));
      for (const job of users) {
        this.#seconds.set(job, (this.#seconds.get(job) ?? 0) + Math.max(0, added) / users.length);
      }
    }
  }
}

function usesShared(job: TestJob): boolean {
  return PROGRAMS.some((program) => requirementsOf(job).includes(program));
}
