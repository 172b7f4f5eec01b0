import { randomBytes, randomUUID } from 'node:crypto';

/** Where unguessable values come from: a CSPRNG, and in tests one whose answers they know. */
export interface Ids {
  uuid(): string;
  /** `bits` random bits as base64url, for tokens that the public may see. */
  token(bits: number): string;
}

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (bits) => randomBytes(bits / 8).toString('base64url'),
};
