/** An answer that is not a success, with the service's own sentence. */
export class ApiError extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Seconds, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & { retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}

/** Whether trying again later may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status);
}
