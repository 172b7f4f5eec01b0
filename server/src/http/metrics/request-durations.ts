import { DurationHistogram } from '../../base/metrics/duration-histogram.ts';

export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route, never the URL as it was sent: the number of series must stay bounded. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The durations of requests by method, route and status. */
export class RequestDurations {
  readonly #histogram = new DurationHistogram(
    'holdall_http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response.',
    ['method', 'route', 'status'],
  );

  observe({ method, route, status, seconds }: CountedRequest): void {
    this.#histogram.observe(seconds, method, route, String(status));
  }

  toText(): string {
    return this.#histogram.toText();
  }
}
