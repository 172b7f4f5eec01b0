/** An error response, with the service's message. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Seconds from `Retry-After`, if the service sent it. */
  readonly retryAfter: number | undefined;
  /** What the client needs for the next step; null for most errors. */
  readonly data: unknown;
  /** What the user must do before anything else (`X-Service-Required`); undefined for most errors. */
  readonly required: string | undefined;
  /** The member of the body that was refused (`X-Service-Field`); undefined for most errors. */
  readonly field: string | undefined;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & {
      retryAfter?: number | undefined;
      data?: unknown;
      required?: string | undefined;
      field?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = options.retryAfter;
    this.data = options.data ?? null;
    this.required = options.required;
    this.field = options.field;
  }
}

/** Whether trying again later may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status);
}
