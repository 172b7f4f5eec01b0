import { toNormalForm } from '../base/text/names/normal-form.ts';
import { TextLimitReached } from './no-text.ts';

/** The maximum size of a text, in UTF-8. */
export const MAX_TEXT_BYTES = 1_024 * 1_024;

/** Text is cleaned in pieces of about this length. */
const PIECE_LENGTH = 64 * 1_024;

/** Normalising takes quadratic time in the worst case, so it gets short slices. */
const SLICE_LENGTH = 1_024;

/** The marks before and after each hit in a snippet. */
export const HIT_START = '\ue000';
export const HIT_END = '\ue001';
/** Removed from the text: the marks, and soft hyphens, which are invisible inside a word. */
const REMOVED = new RegExp(`[${HIT_START}${HIT_END}\u00ad]`, 'g');
const LINE_BREAKS = /[\r\f\v\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const CONTROLS = /[\0-\x09\x0e-\x1f\x7f-\x9f]/g;
const SPACES = /[^\S\n ][^\S\n]*| [^\S\n]+/g;
/** Text without characters that combine with others. */
const IS_NORMAL = /^[\0-\u02ff\u2010-\u2027\u3000-\u3029\u4e00-\u9fff]*$/;

/**
 * Collects the text of a file and brings it into its stored form: well-formed, in NFC, without control
 * characters, with single spaces and single line breaks. In a PDF, each printed line ends with a line break.
 * So a phrase in Chinese or Japanese, which have no spaces, may contain one.
 */
export class TextCollector {
  readonly #onPiece: (piece: string) => void;
  readonly #pieces: string[] = [];
  /** The bytes of the pieces. */
  #bytes = 0;
  /** What is not cleaned yet, in parts, because joining them after each part would take long. */
  #parts: string[] = [];
  #length = 0;
  /** The separator before the next part. */
  #separator = '';

  /** @param onPiece gets the text in its stored form, except the end that may change */
  constructor(onPiece: (piece: string) => void = () => undefined) {
    this.#onPiece = onPiece;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#parts.every((part) => part.trim() === '');
  }

  /** About how many bytes have been collected. */
  get byteLength(): number {
    return this.#bytes + this.#length;
  }

  /** @throws TextLimitReached when there is more text than is kept */
  add(text: string): void {
    if (text === '') return;
    if (this.#separator !== '') this.#push(this.#separator);
    this.#separator = '';
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      this.#push(text.slice(at, at + PIECE_LENGTH));
      if (this.#length >= PIECE_LENGTH) this.#clean(false);
    }
  }

  /** Ends the word. */
  space(): void {
    if (this.#separator === '') this.#separator = ' ';
  }

  /** Ends the line. */
  lineBreak(): void {
    this.#separator = '\n';
  }

  /**
   * Passes the text so far to `onPiece`, which otherwise happens after each 64 KiB. Then it is not lost if
   * the rest of the file takes too long.
   * @throws TextLimitReached when there is more text than is kept
   */
  publish(): void {
    this.#clean(false);
  }

  /** The text as UTF-8, cut at a character. */
  toUtf8(): Buffer {
    try {
      this.#clean(true);
    } catch (error) {
      if (!(error instanceof TextLimitReached)) throw error;
    }
    return joinPieces(this.#pieces);
  }

  #push(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Cleans the parts, except what the next part may continue. */
  #clean(isEnd: boolean): void {
    const text = this.#parts.join('');
    const end = isEnd ? text.length : endOfWhole(text);
    const cleaned = clean(text.slice(0, end));
    const kept = cleaned.trimEnd();
    // White space at the end may belong together with that of the next piece.
    const rest = cleaned.slice(kept.length) + text.slice(end);
    this.#parts = [rest];
    this.#length = rest.length;
    const piece = this.#pieces.length === 0 ? kept.trimStart() : kept;
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#onPiece(piece);
    this.#bytes += Buffer.byteLength(piece);
    if (this.#bytes > MAX_TEXT_BYTES) throw new TextLimitReached();
  }
}

/** Joins pieces of a collected text to UTF-8, cut at a character. */
export function joinPieces(pieces: readonly string[]): Buffer {
  const bytes = Buffer.from(pieces.join('').trimEnd());
  let end = Math.min(bytes.length, MAX_TEXT_BYTES);
  while (end < bytes.length && isContinuation(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

/** Where to divide the text: after the last white space near its end, otherwise between characters. */
function endOfWhole(text: string): number {
  const near = text.slice(-SLICE_LENGTH);
  const found = near.search(/\s\S*$/);
  if (found >= 0) return text.length - near.length + found + 1;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

function clean(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(REMOVED, '')
    .replace(LINE_BREAKS, '\n')
    .replace(CONTROLS, ' ')
    .replace(SPACES, ' ')
    .replace(/ ?\n[ \n]*/g, '\n');
  return IS_NORMAL.test(plain) ? plain : slicesOf(plain).map(normalize).join('');
}

function normalize(slice: string): string {
  return IS_NORMAL.test(slice) ? slice : (toNormalForm(slice, SLICE_LENGTH) ?? slice);
}

/** Slices that begin at white space where possible, so no combined character is divided. */
function slicesOf(text: string): string[] {
  const slices: string[] = [];
  for (let at = 0; at < text.length; ) {
    const most = text.slice(at, at + SLICE_LENGTH);
    const found = at + most.length < text.length ? most.search(/\s\S*$/) : -1;
    const whole = found > 0 ? found : most.length - (/[\ud800-\udbff]$/.test(most) ? 1 : 0);
    slices.push(most.slice(0, Math.max(1, whole)));
    at += Math.max(1, whole);
  }
  return slices;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
