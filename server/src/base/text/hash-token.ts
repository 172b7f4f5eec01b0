import { createHash } from 'node:crypto';

/**
 * What the database stores of a random token: SHA-256, in hex. A token has as many random bits as the hash
 * can protect, so it needs neither a salt nor a slow hash.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
