import iconv from 'iconv-lite';

/** The encodings of names and texts. A user can choose among them; otherwise one is guessed. */
export const ENCODINGS = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'ibm866',
  'koi8-r',
  'cp437',
  'cp850',
  'cp852',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Decodes a text, or a part of it. Bytes that are invalid in the encoding become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'utf-8' ? Buffer.from(bytes).toString() : iconv.decode(bytes, encoding);
}

// CP437 shows control characters as symbols.
const CP437_SYMBOLS = '☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼';

/** Decodes the name of a file, which contains symbols where texts have control characters. */
export function decodeFileName(bytes: Uint8Array, encoding: Encoding): string {
  const name = decodeText(bytes, encoding);
  return encoding === 'cp437' ? name.replace(CONTROLS, (one) => symbolOf(one)) : name;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const CONTROLS = /[\u0001-\u001f\u007f]/g;

function symbolOf(control: string): string {
  return control === '\u007f' ? '⌂' : (CP437_SYMBOLS[control.charCodeAt(0) - 1] ?? control);
}
