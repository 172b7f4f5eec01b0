/**
 * The encodings that a reader can choose: names that `TextDecoder` knows in every browser (WHATWG Encoding
 * Standard, section 4.2), in the order of the list. Each has a text in the messages.
 */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'windows-1252',
  'windows-1250',
  'windows-1257',
  'windows-1254',
  'windows-1251',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-1258',
  'windows-874',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Languages whose letters are mostly ASCII, with single accented letters between them. */
const LATIN: readonly Encoding[] = [
  'windows-1252',
  'windows-1250',
  'windows-1257',
  'windows-1254',
  'windows-1258',
];

/** The detector's names of the encodings that it can detect. */
const DETECTED = new Map<string, Encoding>([
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['cp932', 'shift_jis'],
  ['euc-jp', 'euc-jp'],
  ['cp949', 'euc-kr'],
  ['windows-1250', 'windows-1250'],
  ['windows-1251', 'windows-1251'],
  ['windows-1252', 'windows-1252'],
  ['windows-1253', 'windows-1253'],
  ['windows-1254', 'windows-1254'],
  ['windows-1255', 'windows-1255'],
  ['windows-1256', 'windows-1256'],
  ['windows-1257', 'windows-1257'],
  ['cp1258', 'windows-1258'],
  ['cp874', 'windows-874'],
  ['ibm866', 'ibm866'],
  ['koi8-r', 'koi8-r'],
  ['koi8-u', 'koi8-u'],
]);

const SAMPLE_BYTES = 65_536;
const NEIGHBOURS = 8;
/** A declaration must be within this many bytes, as in the HTML standard. */
const DECLARATION_BYTES = 1_024;
/** With a lower confidence, the detector has seen too little text to tell French from Russian. */
const MIN_CONFIDENCE = 0.15;

/** Guesses the encoding of bytes that are neither UTF-8 nor UTF-16. */
export async function detectEncoding(bytes: Uint8Array<ArrayBuffer>): Promise<Encoding> {
  const declared = declaredEncoding(bytes);
  if (declared !== undefined && !declared.startsWith('utf-')) return declared;
  const sample = sampleOf(bytes);
  const { detectAll } = await import('jschardet');
  const guesses = detectAll(sample, { detectEncodings: [...DETECTED.keys()], minimumThreshold: 0 }).flatMap(
    ({ encoding, confidence }) => {
      const found = DETECTED.get(encoding?.toLowerCase() ?? '');
      return found === undefined ? [] : [{ encoding: found, confidence }];
    },
  );
  const [best] = guesses;
  if (best === undefined) return 'windows-1252';
  if (best.confidence >= MIN_CONFIDENCE || !hasSingleAccents(sample)) return best.encoding;
  const latin = guesses.filter(({ encoding }) => LATIN.includes(encoding));
  const most = Math.max(0, ...latin.map(({ confidence }) => confidence));
  // Most of these texts are Western European, so that wins unless another encoding is clearly better.
  const western = latin.find(({ encoding }) => encoding === 'windows-1252')?.confidence ?? 0;
  if (western * 1.25 >= most) return 'windows-1252';
  return latin.find(({ confidence }) => confidence === most)?.encoding ?? 'windows-1252';
}

/**
 * The non-ASCII bytes with their neighbours. ASCII says nothing about the encoding, and too much of it makes
 * the detector take any text for Western European.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(SAMPLE_BYTES, bytes.byteLength));
  let length = 0;
  let end = 0;
  for (let at = 0; at < bytes.byteLength && length < sample.byteLength; at += 1) {
    if (!isAccent(bytes[at])) continue;
    const start = Math.max(end, at - NEIGHBOURS);
    end = Math.min(at + 1 + NEIGHBOURS, bytes.byteLength, start + sample.byteLength - length);
    sample.set(bytes.subarray(start, end), length);
    length += end - start;
  }
  return sample.subarray(0, length);
}

/** The encoding that a web page, style sheet or source file declares at its beginning. */
function declaredEncoding(bytes: Uint8Array<ArrayBuffer>): Encoding | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = /(?:charset|coding)[=:]\s*["']?([\w-]{1,30})/i.exec(head)?.[1];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return ENCODINGS.find((known) => known === (encoding === 'gbk' ? 'gb18030' : encoding));
  } catch {
    return undefined;
  }
}

/** Whether most non-ASCII bytes stand alone or in pairs next to an ASCII letter, as in Latin script. */
function hasSingleAccents(bytes: Uint8Array): boolean {
  let all = 0;
  let single = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const start = at;
    while (isAccent(bytes[at])) at += 1;
    const length = at - start;
    all += length;
    if (length === 1 || (length === 2 && (isLetter(bytes[start - 1]) || isLetter(bytes[at]))))
      single += length;
  }
  return single * 2 > all;
}

function isAccent(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x7f;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z]/.test(String.fromCharCode(byte));
}
