import type { ERROR_KINDS } from '../generated/error-kinds.ts';

/** The kinds of errors that the service returns. */
export type ServiceErrorKind = keyof typeof ERROR_KINDS;

/**
 * What went wrong, for a `switch`. In addition to the kinds of the service: `unreachable` (no response),
 * `timeout` (a time limit of this library), `damaged` (not the announced bytes) and `protocol` (a response
 * that is not from Holdall).
 */
export type ErrorKind = ServiceErrorKind | 'unreachable' | 'timeout' | 'damaged' | 'protocol';

/** The details of an error besides its message. */
export interface ErrorFacts {
  /** HTTP status; 0 if there was no response. */
  readonly status?: number | undefined;
  /** `code` of the envelope. */
  readonly code?: number | undefined;
  /** `x-request-id` of the response, which identifies the request in the service's log. */
  readonly requestId?: string | undefined;
  /** Seconds after which the service asks to try again. */
  readonly retryAfterSeconds?: number | undefined;
  /** `data` of the envelope, which is null for most errors. */
  readonly data?: unknown;
  /** `x-service-required`: what the user must do before anything else. */
  readonly required?: string | undefined;
  /** `x-service-field`: the member of the body that was rejected. */
  readonly field?: string | undefined;
  /** `x-service-session-end`: why the login has ended. */
  readonly sessionEnd?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The base of all errors that this library throws. An aborted call throws the reason of its signal instead,
 * as `fetch` does.
 */
export class HoldallError extends Error {
  readonly kind: ErrorKind;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** `code` of the envelope; 0 if there was none. */
  readonly code: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the service asks to try again. */
  readonly retryAfterSeconds: number | undefined;
  /** `data` of the envelope, which is null for most errors. */
  readonly data: unknown;
  /** What the user must do before anything else, such as `second-factor`; undefined for most errors. */
  readonly required: string | undefined;
  /** The member of the body that was rejected; undefined for most errors. */
  readonly field: string | undefined;
  /** Why the login has ended, such as `expired` or `banned`; undefined if the service does not say. */
  readonly sessionEnd: string | undefined;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.kind = kind;
    this.status = facts.status ?? 0;
    this.code = facts.code ?? 0;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.data = facts.data ?? null;
    this.required = facts.required;
    this.field = facts.field;
    this.sessionEnd = facts.sessionEnd;
  }

  /** Whether the same call may succeed later without anything being changed. */
  get isPassing(): boolean {
    return ['too-slow', 'too-many', 'unavailable', 'unreachable', 'timeout'].includes(this.kind);
  }
}

/**
 * 400: a malformed parameter, body, path or name. The newer routes (`/api/v2`) also return it if a rule
 * disallows the call.
 */
export class InvalidError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts, kind: 'invalid' | 'rejected' = 'invalid') {
    super(kind, message, facts);
  }
}

/** 400: a rule disallows the call, such as a wrong invite code or moving a directory into itself. */
export class RejectedError extends InvalidError {
  constructor(message: string, facts?: ErrorFacts) {
    super(message, facts, 'rejected');
  }
}

/** 401: no login, an ended one, or a wrong name or password. */
export class UnauthenticatedError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('unauthenticated', message, facts);
  }
}

/**
 * 401: the password was correct, but a code is needed. Pass the ticket and the code to `Auth.finishLogIn`.
 */
export class SecondFactorNeededError extends UnauthenticatedError {
  /** Valid for five minutes, and for one successful login. */
  readonly ticket: string;

  constructor(message: string, ticket: string, facts?: ErrorFacts) {
    super(message, facts);
    this.ticket = ticket;
  }
}

/** 403: logged in (or public), but not allowed; a wrong share password; a banned account. */
export class ForbiddenError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('forbidden', message, facts);
  }
}

/** 404: it does not exist, or belongs to someone else. */
export class NotFoundError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('not-found', message, facts);
  }
}

/** 409: a name is taken, account data already exists, or someone else was first. */
export class ConflictError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('conflict', message, facts);
  }
}

/** 412: the content is no longer the one that the caller has seen. */
export class PreconditionError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('precondition', message, facts);
  }
}

/** 410: a share, signed URL, upload or cursor has expired, or a share is used up. */
export class ExpiredError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('expired', message, facts);
  }
}

/** The cursor is older than the stored events: list the drive again. */
export class CursorTooOldError extends ExpiredError {}

/** 413: the quota, the upload size or the number of entries is exceeded, or the disk is full. */
export class OverLimitError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('over-limit', message, facts);
  }
}

/** 415: there is no thumbnail of this file. */
export class UnsupportedError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('unsupported', message, facts);
  }
}

/** 408: the body arrived too slowly. */
export class TooSlowError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('too-slow', message, facts);
  }
}

/** 429: too many attempts, or too many requests at once. `retryAfterSeconds` says when to try again. */
export class TooManyError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('too-many', message, facts);
  }
}

/** 503: the service is shutting down, or cannot reach its database or store. */
export class UnavailableError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('unavailable', message, facts);
  }
}

/** 500: a fault of the service, which logged the cause with `requestId`. */
export class InternalError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('internal', message, facts);
  }
}

/** There was no response: no connection, or a broken one. */
export class UnreachableError extends HoldallError {
  constructor(cause: unknown, message = 'The service cannot be reached.') {
    super('unreachable', message, { cause });
  }
}

/** A time limit of this library ended the call. */
export class TimeoutError extends HoldallError {
  constructor(message: string) {
    super('timeout', message);
  }
}

/** The received bytes do not have the announced checksum or length. */
export class DamagedError extends HoldallError {
  constructor(message: string) {
    super('damaged', message);
  }
}

/** A response that does not come from Holdall: another program may be at this address. */
export class ProtocolError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('protocol', message, facts);
  }
}
