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

// CP437 shows control characters as symbols.
const CP437_SYMBOLS = '☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼';

/** Bytes that are invalid in the encoding become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-8') return Buffer.from(bytes).toString();
  const text = iconv.decode(bytes, encoding);
  return encoding === 'cp437' ? text.replace(CONTROLS, (one) => symbolOf(one)) : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const CONTROLS = /[\u0001-\u001f\u007f]/g;

function symbolOf(control: string): string {
  return control === '\u007f' ? '⌂' : (CP437_SYMBOLS[control.charCodeAt(0) - 1] ?? control);
}
