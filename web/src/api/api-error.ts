/** An error response, with the service's message. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Seconds from `Retry-After`, if the service sent it. */
  readonly retryAfter: number | undefined;
  /** What the service says about how to go on; null for most errors. */
  readonly data: unknown;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & { retryAfter?: number | undefined; data?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = options.retryAfter;
    this.data = options.data ?? null;
  }
}

/** Whether trying again later may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status);
}
