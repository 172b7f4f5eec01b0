import { formatBytes, formatCount } from './format.ts';
import type { Amount, Progress } from './progress.ts';

export interface StepResult {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly differences: number;
}

/** Runs the steps one after another, measures their time, and collects the differences they find. */
export class StepLog {
  readonly results: StepResult[] = [];
  readonly differences: string[] = [];
  readonly #progress: Progress;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** A step reports its progress, and calls `addDifference` for everything that is not as expected. */
  async run<T>(
    name: string,
    whole: Amount | undefined,
    work: (progress: Progress) => Promise<T>,
  ): Promise<T> {
    const before = this.differences.length;
    this.#progress.start(name, whole);
    const start = performance.now();
    const result = await work(this.#progress);
    const seconds = (performance.now() - start) / 1_000;
    const differences = this.differences.length - before;
    const { count, bytes } = this.#progress;
    this.results.push({ name, count, bytes, seconds, differences });
    this.#progress.finish(`${differences === 0 ? 'ok  ' : 'BAD '} ${name}`);
    return result;
  }

  addDifference(difference: string): void {
    this.differences.push(difference);
  }

  toTable(): string {
    const rows = this.results.map((result) => [
      result.name,
      formatCount(result.count),
      result.bytes > 0 ? formatBytes(result.bytes) : '',
      `${result.seconds.toFixed(2)} s`,
      `${formatCount(result.count / result.seconds)}/s`,
      result.bytes > 0 ? `${formatBytes(result.bytes / result.seconds)}/s` : '',
      result.differences === 0 ? '' : `${result.differences} different`,
    ]);
    const titles = ['step', 'count', 'bytes', 'time', 'rate', 'throughput', ''];
    const widths = titles.map((title, column) =>
      Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    return [titles, ...rows]
      .map((row) =>
        row
          .map((cell, column) => {
            const width = widths[column] ?? 0;
            return column === 0 ? cell.padEnd(width) : cell.padStart(width);
          })
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }
}
