// How long each test file took in its last run, on each engine. The queue starts the longest first.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestJob } from './plan.ts';

/** Expected for a job that has never run here: rough, the order is what matters. */
const UNKNOWN_SECONDS = { none: 1, sqlite: 4, postgres: 6, s3: 8, bucket: 10, browser: 20 };

export class Durations {
  readonly #file: string;
  readonly #seconds: Record<string, number>;

  private constructor(file: string, seconds: Record<string, number>) {
    this.#file = file;
    this.#seconds = seconds;
  }

  /** Reads the record of earlier runs; none is fine. */
  static read(file: string): Durations {
    try {
      // Written below; a damaged record costs only the order of the files.
      return new Durations(file, JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>);
    } catch {
      return new Durations(file, {});
    }
  }

  expect(job: TestJob): number {
    return this.#seconds[keyOf(job)] ?? guess(job);
  }

  set(job: TestJob, seconds: number): void {
    this.#seconds[keyOf(job)] = Number(seconds.toFixed(1));
  }

  write(): void {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(this.#seconds, null, 1)}\n`);
  }
}

function keyOf({ file, engine }: TestJob): string {
  return engine === undefined ? file : `${file} ${engine}`;
}

function guess({ engine, needs }: TestJob): number {
  if (needs.includes('browser')) return UNKNOWN_SECONDS.browser;
  if (needs.includes('bucket')) return UNKNOWN_SECONDS.bucket;
  return UNKNOWN_SECONDS[engine ?? 'none'];
}
