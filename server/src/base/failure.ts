import type { SessionEnd } from './domain/accounts.ts';

/**
 * What went wrong for the caller, in terms of the domain. Only `http/errors/` knows the HTTP statuses and
 * error codes: a table for each API family maps every kind to them.
 */
export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'rejected'
  | 'expired'
  | 'over-limit'
  | 'unsupported'
  | 'too-many'
  | 'too-slow'
  | 'unavailable';

export interface FailureOptions {
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The rejected member of the body, if it belongs to a form that people fill in. */
  readonly field?: string | undefined;
  /** Why the login session of the sent token ended. */
  readonly sessionEnd?: SessionEnd;
  /** The error that caused it. It is only logged, never sent. */
  readonly cause?: unknown;
}

/**
 * An error that the caller may see. The message is written for people and contains no secrets.
 * Every other error is a fault of the server: it is sent as `internal` with a fixed message.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | undefined;
  readonly field: string | undefined;
  readonly sessionEnd: SessionEnd | undefined;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.field = options.field;
    this.sessionEnd = options.sessionEnd;
  }
}

/**
 * Whether the error proves that nothing was committed. A connection that breaks during a commit does not: the
 * record may exist, so its bytes must not be removed. The sweeper removes them later if no record refers to
 * them.
 */
export function isDefiniteFailure(error: unknown): error is Failure {
  return error instanceof Failure && error.kind !== 'unavailable';
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'not-found';
}
