import { DAY, SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { DocumentArchive } from './document-archive.ts';
import { readXml, type XmlReader } from './xml.ts';

/** How a spreadsheet shows a number, as far as it matters for finding it. */
type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'date-time' | 'duration';

/** The formats that every spreadsheet program knows (ECMA-376, part 1, section 18.8.30). */
const BUILT_IN: ReadonlyMap<number, CellFormat> = new Map([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[14, 15, 16, 17, ...range(27, 31), 36, ...range(50, 58)].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47].map((id) => [id, 'time'] as const),
  [22, 'date-time'],
  [46, 'duration'],
]);

/** The number of days from the beginning of these numbers to 1970-01-01. */
const DAYS_SINCE_1900 = 25_569;
const DAYS_SINCE_1904 = 24_107;
/** The days from 1970-01-01 to the end of the year 9999, the last one that spreadsheets can show. */
const MAX_DAYS_SINCE_1970 = 2_932_897;
const MAX_STYLES = 65_536;

/** Shows the numbers in the cells of one workbook. */
export class CellFormats {
  readonly #styles: readonly CellFormat[];
  readonly #firstDay: number;

  constructor(styles: readonly CellFormat[], is1904: boolean) {
    this.#styles = styles;
    this.#firstDay = is1904 ? DAYS_SINCE_1904 : DAYS_SINCE_1900;
  }

  /** @param value as stored @param style the index of the style of the cell */
  show(value: string, style: number): string {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    const format = this.#styles[style] ?? 'number';
    if (format === 'percent') return `${withoutNoise(number * 100)}%`;
    if (format === 'number' || number < 0) return withoutNoise(number);
    if (format === 'duration') return showDuration(number);
    const milliseconds = Math.round((number - this.#firstDay) * DAY);
    if (milliseconds >= MAX_DAYS_SINCE_1970 * DAY) return withoutNoise(number);
    const text = toTimestamp(milliseconds);
    const [date, time] = [text.slice(0, 10), text.slice(11, 19)];
    if (format === 'date') return date;
    return format === 'time' ? time : `${date} ${time}`;
  }
}

/** Reads the formats of a workbook. @param part undefined if it has none */
export async function readCellFormats(
  archive: DocumentArchive,
  part: string | undefined,
  is1904: boolean,
): Promise<CellFormats> {
  const own = new Map<number, CellFormat>();
  const styles: CellFormat[] = [];
  let isInList = false;
  const reader: XmlReader = {
    onOpen: (name, attributes) => {
      const id = Number(attributes.get('numFmtId'));
      if (name === 'cellXfs') isInList = true;
      else if (name === 'numFmt' && own.size < MAX_STYLES)
        own.set(id, formatOf(attributes.get('formatCode') ?? ''));
      else if (name === 'xf' && isInList && styles.length < MAX_STYLES)
        styles.push(own.get(id) ?? BUILT_IN.get(id) ?? 'number');
    },
    onClose: (name) => {
      if (name === 'cellXfs') isInList = false;
    },
  };
  await archive.collectOptional(() => readXml(archive.read(part ?? ''), reader));
  return new CellFormats(styles, is1904);
}

/** Recognises a date by its year or day, and a time by its hour or second. */
function formatOf(code: string): CellFormat {
  const letters = code.slice(0, 255).replace(/"[^"]*"?|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_./gi, '');
  if (/%/.test(letters)) return 'percent';
  if (/\[(?:h+|m+|s+)\]/i.test(letters)) return 'duration';
  // `General` contains an e, as does the year of Japanese eras.
  const [hasDate, hasTime] = [/[yd]/i.test(letters), /[hs]/i.test(letters)];
  if (hasDate) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : 'number';
}

/** In hours, which may be more than a day. */
function showDuration(days: number): string {
  const seconds = Math.round((days * DAY) / SECOND);
  if (!Number.isSafeInteger(seconds)) return withoutNoise(days);
  const twoDigits = (part: number) => String(part % 60).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds)}`;
}

/** Programs show at most 15 digits, which hides that 0.1 + 0.2 is 0.30000000000000004. */
function withoutNoise(number: number): string {
  return String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(15)));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
