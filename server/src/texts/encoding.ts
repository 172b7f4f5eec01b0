import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeText } from '../formats/encodings/encodings.ts';
import { guessEncoding } from '../formats/encodings/guess.ts';

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Longer marks first: that of UTF-16 is the beginning of that of UTF-32. */
const MARKS: readonly (readonly [hex: string, Unicode])[] = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** How many bytes of lines with other characters than ASCII decide about the encoding of a text. */
const SAMPLE_BYTES = 64 * 1_024;
/** How many bytes of a line count, and how many of them may come before the first such character. */
const LINE_BYTES = 512;
const MAX_BYTES_BEFORE = 128;

/** In a damaged UTF-8 text, at most one in so many characters outside ASCII is invalid. */
const MIN_CHARACTERS_PER_ERROR = 20;

/** How many control characters a text may have: one in so many characters. */
const MIN_CHARACTERS_PER_CONTROL = 100;

/** Control characters other than tab, the line breaks, backspace and escape, which terminals use. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const CONTROLS = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/g;

/** Whether the beginning of a file can be text in some encoding. */
export function isReadable(head: Buffer): boolean {
  const unicode = findUnicode(head);
  const text = unicode === undefined ? head.toString('latin1') : decodeUnicode(head, unicode);
  const controls = text.match(CONTROLS)?.length ?? 0;
  return text.includes('\0') ? false : controls * MIN_CHARACTERS_PER_CONTROL <= text.length;
}

interface Hints {
  /** An encoding that the file declares, by its name on the web. It is ignored if the bytes contradict it. */
  readonly declared?: string | undefined;
  /** Whether the bytes may end within a character. */
  readonly isCut?: boolean;
}

/** Decodes text in any common encoding. Bytes that are invalid become U+FFFD. */
export async function decodePlainText(
  bytes: Buffer,
  { declared, isCut = false }: Hints = {},
): Promise<string> {
  const unicode = findUnicode(bytes);
  if (unicode !== undefined) return decodeUnicode(bytes, unicode);
  if (isUtf8(isCut ? withoutCutCharacter(bytes) : bytes))
    return isJapaneseMail(bytes) ? decodeJapaneseMail(bytes) : bytes.toString();
  const named = declared === undefined ? undefined : toDecoder(declared);
  // The bytes are not UTF-16, so a page that declares it means UTF-8, as in browsers.
  if (named?.encoding.startsWith('utf-') === true || isMostlyUtf8(bytes)) return bytes.toString();
  return named?.decode(bytes) ?? decodeText(bytes, await guessEncoding(sampleOf(bytes)));
}

/** The decoder for a name; undefined for an unknown one. */
export function toDecoder(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}

/** Recognises Unicode by its mark, or UTF-16 without a mark by its characters. */
function findUnicode(bytes: Buffer): Unicode | undefined {
  const start = bytes.toString('hex', 0, 4);
  const marked = MARKS.find(([mark]) => start.startsWith(mark));
  return marked === undefined ? findUtf16(bytes) : marked[1];
}

/** How many bytes decide whether a file without a mark is UTF-16. */
const UTF_16_BYTES = 512;
/** Even Chinese texts have some of these characters, which have a zero byte. */
const COMMON_IN_UTF_16 = /[\t\n\r\x20-\x7e\u3000]/g;
const BLANKS = /[\t\n\r\x20\u3000]/g;
/** Characters that are rare in texts, but frequent if the bytes are in the wrong order. */
const IMPLAUSIBLE = /[\ufffd\p{Cn}\p{Co}]|(?![\t\n\r\f])\p{Cc}/gu;
const MIN_CHARACTERS_PER_IMPLAUSIBLE = 50;

function findUtf16(bytes: Buffer): Unicode | undefined {
  const sample = bytes.subarray(0, UTF_16_BYTES);
  if (bytes.length % 2 !== 0 || !sample.includes(0) || isAsciiWithZeros(sample)) return undefined;
  const orders = (['utf-16le', 'utf-16be'] as const).map((encoding) => {
    const text = new TextDecoder(encoding).decode(sample);
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    const implausible = count(IMPLAUSIBLE);
    const isPossible =
      count(COMMON_IN_UTF_16) > 0 && implausible * MIN_CHARACTERS_PER_IMPLAUSIBLE <= text.length;
    return { encoding, isPossible, implausible, blanks: count(BLANKS) };
  });
  const [best] = orders
    .filter(({ isPossible }) => isPossible)
    .sort((one, other) => one.implausible - other.implausible || other.blanks - one.blanks);
  return best?.encoding;
}

/** Whether this is rather a damaged log. In UTF-16, such bytes would be Chinese without its frequent signs. */
function isAsciiWithZeros(sample: Buffer): boolean {
  const text = sample.toString('latin1');
  return /^[\0\t\n\r\x20-\x7e]*$/.test(text) && text.replaceAll('\0', '').length * 4 > text.length * 3;
}

/** Whether a text is UTF-8 with a few invalid bytes, such as a log in which another program wrote. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const text = Buffer.concat([...sampleOf(bytes)]).toString();
  const others = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const errors = text.match(/\ufffd/g)?.length ?? 0;
  return errors * MIN_CHARACTERS_PER_ERROR <= others;
}

function decodeUnicode(bytes: Buffer, encoding: Unicode): string {
  return encoding.startsWith('utf-32')
    ? decodeUtf32(bytes, encoding === 'utf-32le')
    : new TextDecoder(encoding).decode(bytes);
}

function decodeUtf32(bytes: Buffer, isLittle: boolean): string {
  const pieces: string[] = [];
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const code = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    pieces.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
  }
  return pieces.join('');
}

/** Leaves out the last character if its end is missing. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - length);
    if (byte < 0x80) break;
  }
  return bytes;
}

/** ISO-2022-JP is ASCII that switches alphabets with escape sequences. */
function isJapaneseMail(bytes: Buffer): boolean {
  return isAscii(bytes) && (bytes.includes('\x1b$B') || bytes.includes('\x1b$@'));
}

function decodeJapaneseMail(bytes: Buffer): string {
  return new TextDecoder('iso-2022-jp').decode(bytes);
}

/** Lines that are not ASCII, because only they tell something about the encoding. Long lines are cut. */
function* sampleOf(bytes: Buffer): Generator<Buffer> {
  let next = 0;
  for (let at = 0, length = 0; at < bytes.length && length < SAMPLE_BYTES; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const lineStart = bytes.lastIndexOf(0x0a, at) + 1;
    const start = Math.max(next, lineStart, at - MAX_BYTES_BEFORE);
    const line = bytes.subarray(start, Math.min(endOfLine(bytes, at), start + LINE_BYTES));
    yield line;
    length += line.length;
    next = endOfCharacter(bytes, start + line.length);
    at = next - 1;
  }
}

function endOfLine(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(0x0a, start);
  return found < 0 ? bytes.length : found;
}

/** The next offset that is not within a character, which no encoding continues with a byte below 0x30. */
function endOfCharacter(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) >= 0x30) at += 1;
  return at;
}
