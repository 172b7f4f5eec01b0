import { ERROR_KINDS } from '../generated/error-kinds.ts';
import {
  ConflictError,
  type ErrorFacts,
  ExpiredError,
  ForbiddenError,
  type HoldallError,
  InternalError,
  InvalidError,
  NotFoundError,
  OverLimitError,
  PreconditionError,
  ProtocolError,
  RejectedError,
  SecondFactorNeededError,
  type ServiceErrorKind,
  TooManyError,
  TooSlowError,
  UnauthenticatedError,
  UnavailableError,
  UnreachableError,
  UnsupportedError,
} from './errors.ts';

/** The error class of each kind. */
const CLASSES: Readonly<Record<ServiceErrorKind, new (message: string, facts?: ErrorFacts) => HoldallError>> =
  {
    invalid: InvalidError,
    unauthenticated: UnauthenticatedError,
    forbidden: ForbiddenError,
    'not-found': NotFoundError,
    conflict: ConflictError,
    precondition: PreconditionError,
    rejected: RejectedError,
    expired: ExpiredError,
    'over-limit': OverLimitError,
    unsupported: UnsupportedError,
    'too-slow': TooSlowError,
    'too-many': TooManyError,
    unavailable: UnavailableError,
    internal: InternalError,
  };

/** The parsed members of an envelope. */
interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

/**
 * Reads the body of an unsuccessful response, and returns the error to throw.
 * @param method the method of the request
 */
export async function readError(response: Response, method: string): Promise<HoldallError> {
  const text = await response.text().catch(() => '');
  const envelope = parseEnvelope(text);
  const facts = {
    status: response.status,
    code: envelope?.code,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readSeconds(response.headers.get('retry-after')),
    data: envelope?.data,
    required: response.headers.get('x-service-required') ?? undefined,
    field: response.headers.get('x-service-field') ?? undefined,
    sessionEnd: response.headers.get('x-service-session-end') ?? undefined,
  };
  const message = envelope?.msg ?? `The service answered with status ${response.status}.`;
  const ticket = ticketIn(envelope?.data);
  if (response.status === 401 && ticket !== undefined) {
    return new SecondFactorNeededError(message, ticket, facts);
  }
  // A proxy that has lost the service may answer every request with 404. A client that trusted it would
  // delete files.
  const isForeign = response.status === 404 && envelope === undefined && method !== 'HEAD';
  return isForeign ? new ProtocolError(message, facts) : errorOf(response.status, message, facts);
}

/** The error for a response with this status. @param status 0 if there was no response */
export function errorOf(status: number, message: string, facts: ErrorFacts = {}): HoldallError {
  if (status === 0) return new UnreachableError(facts.cause, message);
  const kind = kindOf(status, facts.code);
  const Class = kind === undefined ? ProtocolError : CLASSES[kind];
  return new Class(message, { ...facts, status });
}

/** Parses the envelope that every JSON response has; undefined if the text is something else. */
export function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The kind of an error. Status and code determine it. A response to HEAD or from a proxy has no envelope, so
 * there only the status does. Undefined for a status that no error of the service has.
 */
export function kindOf(status: number, code: number | undefined): ServiceErrorKind | undefined {
  // 502 and 504 come from a proxy that cannot reach the service.
  if (status === 502 || status === 504) return 'unavailable';
  const kinds = Object.keys(ERROR_KINDS) as ServiceErrorKind[];
  const ofStatus = kinds.filter((kind) => ERROR_KINDS[kind].status === status);
  const exact = ofStatus.find((kind) =>
    [ERROR_KINDS[kind].legacy, ERROR_KINDS[kind].v2].some((one) => one === code),
  );
  const [first] = ofStatus;
  return exact ?? first ?? (status >= 500 ? 'internal' : undefined);
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && typeof value.code === 'number' && 'msg' in value && 'data' in value;
}

/** `Retry-After` in seconds; the service never sends a date (RFC 9110, section 10.2.3). */
function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

function ticketIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('ticket' in data)) return undefined;
  return typeof data.ticket === 'string' ? data.ticket : undefined;
}
