/**
 * What went wrong for the caller, in words of the domain. The HTTP floor has one table per API family that
 * turns a kind into a status and a code (contract, "Errors"); nothing else knows about either.
 */
export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'rejected'
  | 'expired'
  | 'over-limit'
  | 'too-many'
  | 'unavailable';

export interface FailureOptions {
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** What caused it, for the log only. */
  readonly cause?: unknown;
}

/**
 * Thrown for what the caller did or may be told. The message is for a person and carries no secret.
 * Everything that is not a `Failure` is our own fault and leaves as `internal` with a fixed message.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * Whether the error says for sure that nothing was committed: a refusal does. When a connection breaks during the commit,
 * what was to be recorded may have been; then nobody may undo what belongs to it, and the sweeper looks it up.
 */
export function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.kind !== 'unavailable';
}
