// Measures the processor time of a run. Divides the time of shared programs among the test files.
import { readCpuSeconds, readCpuTimes } from './cpu-time.ts';
import type { TestJob } from './plan.ts';
import { requirementsOf } from './resources.ts';

type Program = 'postgres' | 's3' | 'browser';

/** The process names of the shared programs. */
const PROCESSES: Readonly<Record<Program, RegExp>> = {
  postgres: /^postgres/,
  s3: /^(?:radosgw|ceph-)/,
  browser: /chrom|headless_shell/,
};
const PROGRAMS = ['postgres', 's3', 'browser'] as const;

/** So short that few files begin or end within one interval. */
const INTERVAL_MS = 1_000;

/**
 * Estimates each job's share of the time of the shared programs. The time that a program takes in a second is
 * divided equally among the jobs that need it and run in that second.
 */
export class SharedCpu {
  readonly #running = new Set<TestJob>();
  readonly #seconds = new Map<TestJob, number>();
  readonly #totals = new Map<Program, number>();
  readonly #startSeconds = readCpuSeconds(process.pid);
  #lastSeconds = this.#startSeconds;
  /** The time of processes whose parents were killed. No other process of the run includes it any more. */
  #lostSeconds = 0;
  readonly #timer = setInterval(() => this.#measure(), INTERVAL_MS).unref();

  start(job: TestJob): void {
    if (!usesShared(job)) return;
    this.#measure();
    this.#running.add(job);
  }

  /** Returns this job's seconds of the shared programs so far. */
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
      // The new total may be smaller if one of the program's processes has ended.
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
