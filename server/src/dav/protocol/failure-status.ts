import type { Failure, FailureKind } from '../../base/failure.ts';

/** The status of each kind of failure in WebDAV. Clients look at the status only (RFC 4918, section 11). */
const STATUS: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  rejected: 403,
  expired: 410,
  // RFC 4918, section 11.5: there is no space for it. A file that is too large by itself is 413, which PUT
  // decides.
  'over-limit': 507,
  'too-many': 429,
  unsupported: 415,
  'too-slow': 408,
  unavailable: 503,
};

export function statusOfFailure({ kind }: Failure): number {
  return STATUS[kind];
}
