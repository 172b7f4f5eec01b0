import { Sha256 } from '../downloads/sha256.ts';

/** The SHA-256 of bytes that are in memory. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // Browsers provide `crypto.subtle` only to pages with TLS, although its type does not say so.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  const hash = new Sha256();
  hash.update(bytes);
  const digits = hash.digest().match(/../g) ?? [];
  return Uint8Array.from(digits, (two) => Number.parseInt(two, 16));
}

/** Converts bytes to hex, in lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
