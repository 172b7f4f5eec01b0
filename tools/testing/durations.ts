// Records how long each test file took in its last run on each engine. The queue starts the longest first.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestJob } from './plan.ts';
import type { Tier } from './tiers.ts';

/** Rough estimates for jobs that have never run here, as in a fresh clone. Only their order matters. */
const UNKNOWN_SECONDS = { none: 0.5, build: 8, sqlite: 4, postgres: 6, s3: 8, bucket: 12 };
/** With a browser, the size of a file is the best estimate of its duration. */
const BROWSER_SECONDS_PER_KB = 2.5;
const USUAL_BYTES = 8_000;
/** How much of a file runs in each tier. */
const TIER_SHARES: Readonly<Record<Tier, number>> = { default: 0.5, full: 1, long: 1 };
/** Files that need their own process or disk are long more often than others, and share no process. */
const FACTOR_ALONE = 4;

const root = path.dirname(path.dirname(import.meta.dirname));

export class Durations {
  readonly #file: string;
  readonly #tier: Tier;
  readonly #seconds: Record<string, number>;

  private constructor(file: string, tier: Tier, seconds: Record<string, number>) {
    this.#file = file;
    this.#tier = tier;
    this.#seconds = seconds;
  }

  /** Reads the record of earlier runs in a tier, if there is one. */
  static read(directory: string, tier: Tier): Durations {
    const file = path.join(directory, `test-seconds-${tier}.json`);
    try {
      // Written below. If it is damaged, only the order of the files is lost.
      return new Durations(file, tier, JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>);
    } catch {
      return new Durations(file, tier, {});
    }
  }

  expect(job: TestJob): number {
    return this.#seconds[keyOf(job)] ?? guess(job) * TIER_SHARES[this.#tier];
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

function guess({ file, engine, needs }: TestJob): number {
  if (needs.includes('browser')) return (readBytes(file) / 1_000) * BROWSER_SECONDS_PER_KB;
  const kind = engine ?? (['bucket', 'build'] as const).find((need) => needs.includes(need)) ?? 'none';
  const usual = UNKNOWN_SECONDS[kind];
  return needs.includes('process') || needs.includes('disk') ? usual * FACTOR_ALONE : usual;
}

/** @param file relative to the root of the repository */
function readBytes(file: string): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.size ?? USUAL_BYTES;
}
