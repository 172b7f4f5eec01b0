import { detectEncoding, type Encoding } from './text-encodings.ts';

/** The encoding of a text, and the other properties needed to write it back in the same form. */
export interface TextForm {
  readonly encoding: Encoding | 'utf-32le' | 'utf-32be';
  /** Whether the encoding is a guess, which readers can correct. */
  readonly isGuess: boolean;
  /** Whether the bytes begin with a byte order mark. */
  readonly hasMark: boolean;
  /** Whether lines end with CR LF. */
  readonly hasReturns: boolean;
}

export interface DecodedText {
  readonly text: string;
  readonly form: TextForm;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Byte order marks. UTF-32 comes before UTF-16, because their marks begin alike. */
const MARKS: readonly (readonly [TextForm['encoding'], readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** UTF-16 and UTF-32 without a mark. */
const WIDE = ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'] as const;

/** Control characters except those that occur in text: tab, line ends, form feed, bell, escape and others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
const CONTROLS = /[\x01-\x06\x0e-\x19\x1c-\x1f]/;

const ZEROS = /\0+/g;

/** The escape sequences of ISO-2022-JP, which otherwise looks like ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the encoding consists of them
const JAPANESE_ESCAPE = /\x1b(?:\$[@B]|\(J)/;

/**
 * Decodes bytes as text, with line feeds only; undefined if they are not text.
 *
 * @param isCut whether the last character may be incomplete
 * @param chosen the encoding that the reader has chosen
 */
export async function toText(
  bytes: Bytes,
  isCut: boolean,
  chosen?: Encoding,
): Promise<DecodedText | undefined> {
  if (chosen !== undefined) return toDecoded(decode(bytes, chosen, isCut), chosen, { isGuess: true });
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return toDecoded(decode(bytes, marked[0], isCut), marked[0], { hasMark: true });
  const utf8 = decodeStrictly(bytes, 'utf-8', isCut);
  if (utf8 !== undefined && JAPANESE_ESCAPE.test(utf8)) {
    const japanese = decodeStrictly(bytes, 'iso-2022-jp', isCut);
    if (japanese !== undefined) return toDecoded(japanese, 'iso-2022-jp', { isGuess: true });
  }
  if (bytes.includes(0)) return decodeWithZeros(bytes, utf8, isCut);
  // Some logs separate their fields with control characters. A binary file has many more of them.
  if (utf8 !== undefined) return countControls(utf8) * 3 > utf8.length ? undefined : toDecoded(utf8, 'utf-8');
  const encoding = await detectEncoding(bytes);
  const text = decode(bytes, encoding, isCut);
  return CONTROLS.test(text) ? undefined : toDecoded(text, encoding, { isGuess: true });
}

/** Whether the text can be saved without changing anything that the user did not edit. */
export function isWritable({ text, form }: DecodedText): boolean {
  // A text field would normalise the line ends of a text that mixes several kinds.
  return form.encoding === 'utf-8' && !form.isGuess && !text.includes('\r');
}

/** The bytes of a text in UTF-8, in the form that the file had. */
export function fromText(text: string, { hasMark, hasReturns }: TextForm): string {
  const lines = hasReturns ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text;
  return hasMark ? `\ufeff${lines}` : lines;
}

/** UTF-16 or UTF-32 without a mark, or a log in which a crash has left zeros. */
function decodeWithZeros(bytes: Bytes, utf8: string | undefined, isCut: boolean): DecodedText | undefined {
  for (const encoding of WIDE) {
    const text = decodeStrictly(bytes, encoding, isCut);
    if (text !== undefined && !text.includes('\0') && !CONTROLS.test(text) && hasAscii(text))
      return toDecoded(text, encoding, { isGuess: true });
  }
  if (utf8 === undefined || CONTROLS.test(utf8) || !hasAscii(utf8)) return undefined;
  return toDecoded(utf8.replace(ZEROS, '␀'), 'utf-8', { isGuess: true });
}

function countControls(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(new RegExp(CONTROLS, 'g'))) count += 1;
  return count;
}

/** Real text has blanks, ASCII letters or digits. Binary bytes can decode to any characters. */
function hasAscii(text: string): boolean {
  return /[\n A-Za-z0-9]/.test(text);
}

function toDecoded(
  text: string,
  encoding: TextForm['encoding'],
  { isGuess = false, hasMark = false } = {},
): DecodedText {
  const hasReturns = text.includes('\r\n') && !/[^\r]\n/.test(text);
  const form = { encoding, isGuess, hasMark, hasReturns };
  return { text: hasReturns ? text.replaceAll('\r\n', '\n') : text, form };
}

function decodeStrictly(bytes: Bytes, encoding: TextForm['encoding'], isCut: boolean): string | undefined {
  try {
    return decode(bytes, encoding, isCut, true);
  } catch {
    return undefined;
  }
}

/** @throws TypeError or RangeError if `isStrict` and the bytes are not in this encoding */
function decode(bytes: Bytes, encoding: TextForm['encoding'], isCut: boolean, isStrict = false): string {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(bytes, encoding, isCut);
  return new TextDecoder(encoding, { fatal: isStrict }).decode(bytes, { stream: isCut });
}

/** Decodes UTF-32, which `TextDecoder` does not support. @throws RangeError if the bytes are not UTF-32 */
function decodeUtf32(bytes: Bytes, encoding: 'utf-32le' | 'utf-32be', isCut: boolean): string {
  if (!isCut && bytes.byteLength % 4 !== 0) throw new RangeError('This is not UTF-32.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4)
    text += String.fromCodePoint(view.getUint32(at, encoding === 'utf-32le'));
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
