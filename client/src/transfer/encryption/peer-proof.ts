// What two pages compute over a direct connection, so that they notice anyone in between. See
// docs/encrypted-transfer.md, "Direct transfers".
import { sha256 } from '../sha256.ts';
import { WORD_BITS, wordAt } from './words.ts';

export type PeerRole = 'sender' | 'receiver';

/** The DTLS fingerprints of both ends, as one of them sees them. */
export interface Fingerprints {
  readonly own: string;
  readonly other: string;
}

const WORD_COUNT = 4;
const VALUE_BYTES = 32;

/**
 * Reads the fingerprint in a session description: the hash function in lower case, a space, and the bytes in
 * upper case with colons. Undefined unless there is exactly one, because browsers accept any of several.
 */
export function readFingerprint(sdp: string): string | undefined {
  const found = new Set<string>();
  for (const [, hash = '', bytes = ''] of sdp.matchAll(/^a=fingerprint:(\S+) +(\S+)\s*$/gim)) {
    found.add(`${hash.toLowerCase()} ${bytes.toUpperCase()}`);
  }
  const [fingerprint] = found;
  return found.size === 1 ? fingerprint : undefined;
}

/** Proves that the role knows the secret and sees these fingerprints. */
export async function makeProof(
  key: CryptoKey,
  role: PeerRole,
  seen: Fingerprints,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, messageOf(role, seen)));
}

/**
 * @param role the role of the page that made the proof
 * @param seen the fingerprints, as the checking page sees them
 */
export async function checkProof(
  key: CryptoKey,
  role: PeerRole,
  seen: Fingerprints,
  proof: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const asTheOther = { own: seen.other, other: seen.own };
  return await crypto.subtle.verify('HMAC', key, proof, messageOf(role, asTheOther));
}

export function newValue(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(VALUE_BYTES));
}

export function isValue(bytes: Uint8Array): boolean {
  return bytes.length === VALUE_BYTES;
}

/** Computes the words that both pages show. They are equal if both see the same values and fingerprints. */
export async function toWords(of: {
  readonly senderValue: Uint8Array;
  readonly receiverValue: Uint8Array;
  readonly senderFingerprint: string;
  readonly receiverFingerprint: string;
}): Promise<readonly string[]> {
  const parts = [
    encode('holdall words'),
    of.senderValue,
    of.receiverValue,
    encode(`${of.senderFingerprint}\n${of.receiverFingerprint}`),
  ];
  const hash = await sha256(join(parts));
  const bits = Array.from(hash, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: WORD_COUNT }, (_, word) =>
    wordAt(Number.parseInt(bits.slice(word * WORD_BITS, (word + 1) * WORD_BITS), 2)),
  );
}

function messageOf(role: PeerRole, { own, other }: Fingerprints): Uint8Array<ArrayBuffer> {
  return encode(`${role}\n${own}\n${other}`);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
