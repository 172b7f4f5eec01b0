/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const NAME = 'holdall_http_request_duration_seconds';

interface Series {
  readonly labels: string;
  /** One for each bound, and one for what is above all of them. */
  readonly counts: number[];
  sum: number;
}

/**
 * How long requests took, as a Prometheus histogram by method, route and status. Counted here because it happens in
 * every request: a few additions instead of the label look-ups of a library.
 */
export class RequestDurations {
  readonly #series = new Map<string, Series>();

  /** @param route the pattern, never the address as it was sent: there are only so many */
  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      series = { labels, counts: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
      this.#series.set(key, series);
    }
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  /** In Prometheus' text form, where each bucket holds those below it too. */
  toText(): string {
    const lines = [
      `# HELP ${NAME} Time from the first byte of a request to the last of its answer.`,
      `# TYPE ${NAME} histogram`,
    ];
    for (const { labels, counts, sum } of this.#series.values()) {
      let total = 0;
      for (const [bucket, count] of counts.entries()) {
        total += count;
        lines.push(`${NAME}_bucket{${labels},le="${BOUNDS[bucket] ?? '+Inf'}"} ${total}`);
      }
      lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
