/** The encoding of a text. */
export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** Whether the bytes begin with a byte order mark. */
  readonly hasMark: boolean;
  /** Whether lines end with CR LF. */
  readonly hasReturns: boolean;
}

/** Encodings with a byte order mark. */
const MARKS: readonly (readonly [TextForm['encoding'], readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes bytes as text, with line feeds only; undefined if they are not text. @param isCut whether the last
 * character may be incomplete
 */
export function toText(
  bytes: Uint8Array<ArrayBuffer>,
  isCut: boolean,
): { readonly text: string; readonly form: TextForm } | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked === undefined && bytes.includes(0)) return undefined;
  const [encoding, text] = decode(bytes, marked?.[0], isCut);
  const hasReturns = text.includes('\r\n') && !/[^\r]\n/.test(text);
  const form = { encoding, hasMark: marked !== undefined, hasReturns };
  return { text: hasReturns ? text.replaceAll('\r\n', '\n') : text, form };
}

/** Whether a text can be written again with nothing changed but what the user changes. */
export function isWritable({ text, form }: { readonly text: string; readonly form: TextForm }): boolean {
  // A text field would replace the returns of a text that has several kinds of line ends.
  return form.encoding === 'utf-8' && !text.includes('\r');
}

/** The bytes of a text in UTF-8, in the form that the file had. */
export function fromText(text: string, { hasMark, hasReturns }: TextForm): string {
  const lines = hasReturns ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text;
  return hasMark ? `\ufeff${lines}` : lines;
}

function decode(
  bytes: Uint8Array<ArrayBuffer>,
  marked: TextForm['encoding'] | undefined,
  isCut: boolean,
): readonly [TextForm['encoding'], string] {
  if (marked !== undefined) return [marked, new TextDecoder(marked).decode(bytes, { stream: isCut })];
  try {
    return ['utf-8', new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })];
  } catch {
    // Probably an older encoding than UTF-8: the ASCII characters are right.
    return ['windows-1252', new TextDecoder('windows-1252').decode(bytes)];
  }
}
