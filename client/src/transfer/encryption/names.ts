import { fromBase64url, toBase64url } from './base64url.ts';
import { CannotOpen, MAX_RECORDS, recordCountOf, sealedSizeOf } from './records.ts';

const NONCE_BYTES = 12;

/** The data about a file that an encrypted transfer hides, in addition to its content. */
export interface HiddenName {
  readonly name: string;
  /** Its folders and its name; null for a file outside a folder. */
  readonly relativePath: string | null;
  readonly contentType: string | null;
  /** In bytes, before encryption. */
  readonly size: number;
}

export async function sealName(
  key: CryptoKey,
  { name, relativePath, contentType, size }: HiddenName,
  nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)),
): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify({ name, relativePath, contentType, size }));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, text);
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return toBase64url(bytes);
}

/**
 * @param sealedSize the size of the encrypted content, which must match the hidden size
 * @throws CannotOpen
 */
export async function openName(key: CryptoKey, text: string, sealedSize: number): Promise<HiddenName> {
  const bytes = fromBase64url(text);
  if (bytes === undefined) throw new CannotOpen();
  const cipher = { name: 'AES-GCM', iv: bytes.subarray(0, NONCE_BYTES) };
  let opened: unknown;
  try {
    const json = await crypto.subtle.decrypt(cipher, key, bytes.subarray(NONCE_BYTES));
    opened = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch {
    throw new CannotOpen();
  }
  const name = readName(opened);
  if (name === undefined || sealedSizeOf(name.size) !== sealedSize) throw new CannotOpen();
  return name;
}

function readName(opened: unknown): HiddenName | undefined {
  if (typeof opened !== 'object' || opened === null) return undefined;
  // Every member is checked.
  const { name, relativePath = null, contentType = null, size } = opened as Record<string, unknown>;
  if (typeof name !== 'string' || !isTextOrNull(relativePath) || !isTextOrNull(contentType)) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
  return recordCountOf(size) <= MAX_RECORDS ? { name, relativePath, contentType, size } : undefined;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
