/** Encodings with a byte order mark. */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes bytes as text; undefined if they are not text. @param isCut whether the last character may be
 * incomplete
 */
export function toText(bytes: Uint8Array<ArrayBuffer>, isCut: boolean): string | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return new TextDecoder(marked[0]).decode(bytes, { stream: isCut });
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    // Probably an older encoding than UTF-8: the ASCII characters are right.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
