import type { FailureKind } from '../../base/failure.ts';

/** The two API families. They have different error codes in their envelopes. */
type ApiFamily = 'legacy' | 'v2';

export type ErrorKind = FailureKind | 'internal';

/** The HTTP status and error codes of each kind. This is their only definition in the code base. */
const ERROR_TABLE: Readonly<
  Record<ErrorKind, { readonly status: number; readonly legacy: number; readonly v2: number }>
> = {
  invalid: { status: 400, legacy: 1000, v2: 2400 },
  unauthenticated: { status: 401, legacy: 1001, v2: 2401 },
  forbidden: { status: 403, legacy: 1002, v2: 2403 },
  'not-found': { status: 404, legacy: 1003, v2: 2404 },
  conflict: { status: 409, legacy: 1003, v2: 2409 },
  precondition: { status: 412, legacy: 1003, v2: 2412 },
  rejected: { status: 400, legacy: 1003, v2: 2400 },
  expired: { status: 410, legacy: 1003, v2: 2410 },
  'over-limit': { status: 413, legacy: 1003, v2: 2413 },
  unsupported: { status: 415, legacy: 1003, v2: 2415 },
  'too-slow': { status: 408, legacy: 1003, v2: 2408 },
  'too-many': { status: 429, legacy: 1429, v2: 2429 },
  unavailable: { status: 503, legacy: 1503, v2: 2503 },
  internal: { status: 500, legacy: 1500, v2: 2500 },
};

/** All kinds, for the client library. */
export const ERROR_KINDS = Object.keys(ERROR_TABLE) as readonly ErrorKind[];

export function familyOf(url: string): ApiFamily {
  return /^\/api\/v2(?:[/?]|$)/.test(url) ? 'v2' : 'legacy';
}

/** Whether a URL belongs to WebDAV, whose errors have no envelope. */
export function isDavUrl(url: string): boolean {
  return /^\/(?:dav|drives)(?:[/?]|$)/.test(url);
}

export function statusOf(kind: ErrorKind): number {
  return ERROR_TABLE[kind].status;
}

/** The error code for a status that has no kind because a protocol such as tus defines it. */
export function codeOfStatus(status: number, family: ApiFamily): number {
  return family === 'v2' ? 2_000 + status : codeOf('rejected', family);
}

export function codeOf(kind: ErrorKind, family: ApiFamily): number {
  return ERROR_TABLE[kind][family];
}
