import type { ERROR_KINDS } from '../generated/error-kinds.ts';

/** The kinds of errors that the service answers. */
export type ServiceErrorKind = keyof typeof ERROR_KINDS;

/**
 * What went wrong, for a `switch`. Besides the kinds of the service: `unreachable` (there was no answer),
 * `timeout` (a time limit of this library), `damaged` (bytes that are not the announced ones) and `protocol`
 * (an answer that is not one of Holdall's).
 */
export type ErrorKind = ServiceErrorKind | 'unreachable' | 'timeout' | 'damaged' | 'protocol';

/** What is known about an error besides its message. */
export interface ErrorFacts {
  /** HTTP status; 0 if there was no answer. */
  readonly status?: number | undefined;
  /** `code` of the envelope. */
  readonly code?: number | undefined;
  /** `x-request-id` of the answer, which identifies its line in the log of the service. */
  readonly requestId?: string | undefined;
  /** Seconds after which the service asks to try again. */
  readonly retryAfterSeconds?: number | undefined;
  /** `data` of the envelope, which is null for most errors. */
  readonly data?: unknown;
  /** `x-service-required`: what the user must do before anything else. */
  readonly required?: string | undefined;
  /** `x-service-field`: the member of the body that was refused. */
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
  /** HTTP status; 0 if there was no answer. */
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
  /** The member of the body that was refused; undefined for most errors. */
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
 * 400: a malformed parameter, body, path or name. The newer addresses (`/api/v2`) answer the same when a rule
 * forbids the call.
 */
export class InvalidError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts, kind: 'invalid' | 'rejected' = 'invalid') {
    super(kind, message, facts);
  }
}

/** 400: a rule forbids it, such as a wrong invite code or moving a directory into itself. */
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

/** 401: the password was right, and a code is needed. `Auth.finishLogIn` takes the ticket and the code. */
export class SecondFactorNeededError extends UnauthenticatedError {
  /** Valid for five minutes and one success. */
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

/** 404: it does not exist, or belongs to somebody else. */
export class NotFoundError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('not-found', message, facts);
  }
}

/** 409: a name is taken, account data exists already, or somebody else was first. */
export class ConflictError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('conflict', message, facts);
  }
}

/** 412: the content is not the one that the caller has seen. */
export class PreconditionError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('precondition', message, facts);
  }
}

/** 410: a share, a signed address, an upload or a cursor is past its time, or a share is used up. */
export class ExpiredError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('expired', message, facts);
  }
}

/** The cursor is older than the events that are kept: list the drive again. */
export class CursorTooOldError extends ExpiredError {}

/** 413: quota, size of an upload, number of entries, or a full disk. */
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

/** 429: too many attempts, or requests at once. `retryAfterSeconds` says when to try again. */
export class TooManyError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('too-many', message, facts);
  }
}

/** 503: shutting down, or the database or the store is out of reach. */
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

/** There was no answer: no connection, or one that broke. */
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

/** The bytes that arrived do not have the checksum or the length that was announced. */
export class DamagedError extends HoldallError {
  constructor(message: string) {
    super('damaged', message);
  }
}

/** An answer that Holdall does not give: the address may belong to another program. */
export class ProtocolError extends HoldallError {
  constructor(message: string, facts?: ErrorFacts) {
    super('protocol', message, facts);
  }
}
