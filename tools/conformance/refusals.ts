// The HTTP status and code of each kind of rejection (`docs/api.md`, "Conventions").
import type { CallOptions, Person } from '../../server/test/support/app/person.ts';

const REFUSALS = {
  invalid: [400, 1000, 2400],
  unauthenticated: [401, 1001, 2401],
  forbidden: [403, 1002, 2403],
  'not-found': [404, 1003, 2404],
  conflict: [409, 1003, 2409],
  rejected: [400, 1003, 2400],
  expired: [410, 1003, 2410],
  'over-limit': [413, 1003, 2413],
} as const;

/** Makes a call that must be rejected with that kind of error, in the envelope of its API family. */
export async function refuse(
  kind: keyof typeof REFUSALS,
  person: Person,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<void> {
  const [status, legacyCode, code] = REFUSALS[kind];
  await person.refused(status, path.startsWith('/api/v2/') ? code : legacyCode, method, path, options);
}
