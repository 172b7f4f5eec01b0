// Divides the processor time of the programs that test files share among the files that use them.
import { readCpuSecondsByProgram } from './cpu-time.ts';
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
  readonly #timer = setInterval(() => this.#divide(), INTERVAL_MS).unref();

  start(job: TestJob): void {
    this.#divide();
    this.#running.add(job);
  }

  /** Returns the seconds of the programs for this job so far. */
  stop(job: TestJob): number {
    this.#divide();
    this.#running.delete(job);
    return this.#seconds.get(job) ?? 0;
  }

  /** Ends the measurement. Returns the seconds of each program, those for no job included. */
  end(): ReadonlyMap<Program, number> {
    this.#divide();
    clearInterval(this.#timer);
    return this.#totals;
  }

  #divide(): void {
    const seconds = readCpuSecondsByProgram(process.pid);
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
