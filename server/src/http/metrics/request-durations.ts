/** Upper limits of the buckets in seconds. What takes longer is only in the total. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

const NAME = 'holdall_http_request_duration_seconds';

interface Series {
  readonly labels: string;
  /** For each bucket, how many requests are in it and in no smaller one. */
  readonly counts: number[];
  count: number;
  sum: number;
}

export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route, never the URL as it was sent: the number of series must stay bounded. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/**
 * The durations of requests by method, route and status: a histogram in Prometheus' text format. It is our
 * own, because every request passes here: prom-client sorts and hashes the labels each time, and takes 4 MB.
 */
export class RequestDurations {
  readonly #series = new Map<string, Series>();

  observe({ method, route, status, seconds }: CountedRequest): void {
    const key = `${method} ${status} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      series = { labels, counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
      this.#series.set(key, series);
    }
    series.count += 1;
    series.sum += seconds;
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  toText(): string {
    const lines = [...this.#series.values()].flatMap(toLines);
    return [
      `# HELP ${NAME} Time from the first byte of a request to the last byte of its response.`,
      `# TYPE ${NAME} histogram`,
      ...lines,
      '',
    ].join('\n');
  }
}

function toLines({ labels, counts, count, sum }: Series): readonly string[] {
  let below = 0;
  const buckets = BUCKETS.map((limit, index) => {
    below += counts[index] ?? 0;
    return `${NAME}_bucket{le="${limit}",${labels}} ${below}`;
  });
  return [
    ...buckets,
    `${NAME}_bucket{le="+Inf",${labels}} ${count}`,
    `${NAME}_sum{${labels}} ${sum}`,
    `${NAME}_count{${labels}} ${count}`,
  ];
}
