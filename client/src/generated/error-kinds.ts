// Made by `npm run client` from the schemas of the server. Do not edit.

/** The HTTP status of each kind of error, and its code in both families of addresses. */
export const ERROR_KINDS = {
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
} as const;
