import { isUtf8 } from 'node:buffer';

/**
 * Whether every database stores the text unchanged. PostgreSQL rejects NUL, and a lone surrogate has no UTF-8
 * form: it would be stored as another character, and two different texts would become equal.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether the bytes are UTF-8 of a storable text. Decoding anything else would replace characters. */
export function isStorableUtf8(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Only an escape can put a NUL or a lone surrogate into JSON whose bytes are UTF-8. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON text that was decoded from UTF-8.
 * @returns undefined if a text in it, a name of a member included, is not storable
 * @throws SyntaxError if it is not JSON
 */
export function parseStorableJson(text: string): { readonly value: unknown } | undefined {
  const value: unknown = JSON.parse(text);
  return SUSPICIOUS_ESCAPE.test(text) && !hasOnlyStorableText(value) ? undefined : { value };
}

/** Not recursive, because values that `JSON.parse` accepts may be nested too deep for the stack. */
function hasOnlyStorableText(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part === 'string') {
      if (!isStorableText(part)) return false;
    } else if (Array.isArray(part)) {
      for (const item of part) waiting.push(item);
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, member] of Object.entries(part)) {
        if (!isStorableText(name)) return false;
        waiting.push(member);
      }
    }
  }
  return true;
}

const PERCENT = 0x25;

/**
 * Whether text with percent escapes, such as a query, decodes to storable text. A percent sign that does not
 * begin an escape stands for itself, as in the parsers of queries and forms.
 */
export function hasStorableEscapes(text: string): boolean {
  if (!text.includes('%')) return true;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let place = 0; place < bytes.length; place += 1, length += 1) {
    const escaped = bytes[place] === PERCENT ? byteOf(bytes[place + 1], bytes[place + 2]) : undefined;
    bytes[length] = escaped ?? bytes[place] ?? 0;
    if (escaped !== undefined) place += 2;
  }
  return isStorableUtf8(bytes.subarray(0, length));
}

/** The byte of two hexadecimal digits; undefined if one is not a digit. */
function byteOf(high: number | undefined, low: number | undefined): number | undefined {
  const [upper, lower] = [digitOf(high), digitOf(low)];
  return upper === undefined || lower === undefined ? undefined : upper * 16 + lower;
}

function digitOf(code = 0): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
