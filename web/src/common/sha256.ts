import { sha256 as noble } from '@noble/hashes/sha2.js';

/** The number of bytes that are read from a file at a time. */
const SLICE_BYTES = 4 * 1024 ** 2;

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // Browsers provide `crypto.subtle` only to pages with TLS, although its type does not say so.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return new Uint8Array(subtle === undefined ? noble(bytes) : await subtle.digest('SHA-256', bytes));
}

/**
 * The SHA-256 of a file in hexadecimal. The file is read in slices, because it may not fit into memory.
 * @param onProgress called with the number of bytes read so far
 * @throws `signal.reason`
 */
export async function sha256OfFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (readBytes: number) => void = () => undefined,
): Promise<string> {
  const hash = noble.create();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const slice = await file.slice(at, at + SLICE_BYTES).arrayBuffer();
    signal.throwIfAborted();
    hash.update(new Uint8Array(slice));
    onProgress(at + slice.byteLength);
  }
  return toHex(hash.digest());
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
