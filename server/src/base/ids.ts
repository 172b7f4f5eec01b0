import { randomBytes, randomUUID } from 'node:crypto';

/** The source of unguessable values: a CSPRNG. Tests replace it with known values. */
export interface Ids {
  uuid(): string;
  /** `bits` random bits as base64url, for tokens in public URLs. */
  token(bits: number): string;
}

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (bits) => randomBytes(bits / 8).toString('base64url'),
};
