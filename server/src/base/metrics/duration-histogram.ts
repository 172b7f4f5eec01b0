/** Upper limits of the buckets in seconds. Longer durations are only in the total. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

interface Series {
  readonly labels: string;
  /** For each bucket, how many durations are in it and in no smaller one. */
  readonly counts: number[];
  count: number;
  sum: number;
}

/**
 * A histogram of durations in Prometheus' text format. It is our own, because every request passes here:
 * prom-client sorts and hashes the labels each time, and takes 4 MB.
 */
export class DurationHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
  }

  /** @param labels a value for each label name, from a small fixed set: each combination is kept forever */
  observe(seconds: number, ...labels: readonly string[]): void {
    const key = labels.join(' ');
    let series = this.#series.get(key);
    if (series === undefined) {
      const pairs = this.#labelNames.map((name, index) => `${name}="${labels[index] ?? ''}"`);
      series = { labels: pairs.join(','), counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
      this.#series.set(key, series);
    }
    series.count += 1;
    series.sum += seconds;
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  toText(): string {
    const lines = [...this.#series.values()].flatMap((series) => this.#toLines(series));
    return [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`, ...lines, ''].join('\n');
  }

  #toLines({ labels, counts, count, sum }: Series): readonly string[] {
    const name = this.#name;
    let below = 0;
    const withLimit = (limit: string) => [`le="${limit}"`, labels].filter(Boolean).join(',');
    const buckets = BUCKETS.map((limit, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{${withLimit(String(limit))}} ${below}`;
    });
    const inBraces = labels === '' ? '' : `{${labels}}`;
    return [
      ...buckets,
      `${name}_bucket{${withLimit('+Inf')}} ${count}`,
      `${name}_sum${inBraces} ${sum}`,
      `${name}_count${inBraces} ${count}`,
    ];
  }
}
