import { MAX_TEXT_BYTES, type TextCollector } from '../text-collector.ts';
import { type CellFormats, readCellFormats } from './cell-format.ts';
import type { DocumentArchive } from './document-archive.ts';
import { collectParagraphs } from './paragraphs.ts';
import { readRelations, targetsOf } from './relations.ts';
import { OFFICE_PARAGRAPHS } from './word.ts';
import { readXml, type XmlReader } from './xml.ts';

/** The most characters of shared texts that are read. More would not be kept. */
const MAX_SHARED_LENGTH = 2 * MAX_TEXT_BYTES;

/**
 * How much text the rows may take. The rest is for shared texts that no row has shown, because the same few
 * values may fill many rows.
 */
const MAX_ROWS_BYTES = MAX_TEXT_BYTES / 2;
/** Each sheet shows at least this much, however large the others are. */
const MIN_SHEET_BYTES = 4 * 1_024;

/** The texts that cells refer to by number. */
class SharedTexts {
  readonly #texts: readonly string[];
  readonly #shown: Uint8Array;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#shown = new Uint8Array(texts.length);
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  show(index: number): string {
    if (index < this.#shown.length) this.#shown[index] = 1;
    return this.#texts[index] ?? '';
  }

  collectOthers(out: TextCollector): void {
    for (const [index, text] of this.#texts.entries()) {
      if (this.#shown[index] === 1) continue;
      out.add(text);
      out.lineBreak();
    }
  }
}

/** Takes the text from an xlsx: each sheet with its name, its rows as lines, and its comments. */
export async function collectSpreadsheet(
  archive: DocumentArchive,
  main: string,
  out: TextCollector,
): Promise<void> {
  const relations = await readRelations(archive, main);
  const [sharedPart] = targetsOf(relations, 'sharedStrings');
  const [stylesPart] = targetsOf(relations, 'styles');
  const { sheets, is1904 } = await readWorkbook(archive, main);
  const shared = new SharedTexts(await readSharedTexts(archive, sharedPart));
  const formats = await readCellFormats(archive, stylesPart, is1904);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const maxRowsBytes = shared.isEmpty ? MAX_TEXT_BYTES : MAX_ROWS_BYTES;
  let sizeLeft = sheets.reduce((sum, { id }) => sum + archive.sizeOf(targets.get(id) ?? ''), 0);
  for (const [index, { name, id }] of sheets.entries()) {
    out.add(name);
    out.lineBreak();
    const part = targets.get(id);
    if (part === undefined) continue;
    // Each sheet gets its share of what is left, in proportion to its size.
    const size = archive.sizeOf(part);
    const reserved = Math.min((sheets.length - index - 1) * MIN_SHEET_BYTES, maxRowsBytes / 4);
    const left = Math.max(0, maxRowsBytes - reserved - out.byteLength);
    const maxBytes = out.byteLength + Math.max((left * size) / Math.max(1, sizeLeft), MIN_SHEET_BYTES);
    sizeLeft -= size;
    await archive.collectOptional(() => collectRows(archive, part, { shared, formats, maxBytes }, out));
    await archive.collectOptional(async () => {
      for (const comments of targetsOf(await readRelations(archive, part), 'comments'))
        await collectParagraphs(archive.read(comments), { ...OFFICE_PARAGRAPHS, paragraphs: COMMENT }, out);
    });
    out.publish();
  }
  shared.collectOthers(out);
}

const COMMENT = new Set(['comment']);

interface Sheet {
  readonly name: string;
  readonly id: string;
}

async function readWorkbook(
  archive: DocumentArchive,
  main: string,
): Promise<{ readonly sheets: readonly Sheet[]; readonly is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readXml(archive.read(main), {
    onOpen: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.get('date1904') ?? '');
      if (name !== 'sheet') return;
      sheets.push({ name: attributes.get('name') ?? '', id: attributes.getPrefixed('id') ?? '' });
    },
  });
  return { sheets, is1904 };
}

async function readSharedTexts(archive: DocumentArchive, part: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let length = 0;
  let isText = false;
  let isPronunciation = false;
  const reader: XmlReader = {
    onOpen: (name) => {
      if (name === 'si') text = '';
      if (name === 't') isText = true;
      if (name === PRONUNCIATION) isPronunciation = true;
    },
    onText: (piece) => {
      if (isText && !isPronunciation && length < MAX_SHARED_LENGTH) text += piece;
    },
    onClose: (name) => {
      if (name === 't') isText = false;
      if (name === PRONUNCIATION) isPronunciation = false;
      if (name !== 'si' || length >= MAX_SHARED_LENGTH) return;
      // At least one, so the number of empty texts is limited.
      length += Math.max(1, text.length);
      texts.push(withoutEscapes(text));
    },
  };
  await archive.collectOptional(() => readXml(archive.read(part ?? ''), reader));
  return texts;
}

/** The pronunciation of a Japanese text. */
const PRONUNCIATION = 'rPh';

/** Characters that XML does not allow, and some others, are written as `_x000D_`. */
function withoutEscapes(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

interface RowOptions {
  readonly shared: SharedTexts;
  readonly formats: CellFormats;
  /** The rows end when the text of the workbook is longer than this. */
  readonly maxBytes: number;
}

/** Collects the rows of a sheet, as far as there is room for them. */
async function collectRows(
  archive: DocumentArchive,
  part: string,
  options: RowOptions,
  out: TextCollector,
): Promise<void> {
  let [type, style, value] = ['', 0, ''];
  let isValue = false;
  let isPronunciation = false;
  const reader: XmlReader = {
    onOpen: (name, attributes) => {
      if (name === 'c') [type, style, value] = [attributes.get('t') ?? 'n', Number(attributes.get('s')), ''];
      if (name === PRONUNCIATION) isPronunciation = true;
      isValue = (name === 'v' || name === 't') && !isPronunciation;
    },
    onText: (text) => {
      if (isValue) value += text;
    },
    onClose: (name) => {
      isValue = false;
      if (name === PRONUNCIATION) isPronunciation = false;
      if (name === 'c' && value !== '') {
        out.add(showCell({ type, style, value }, options));
        out.space();
      }
      if (name !== 'row') return;
      out.lineBreak();
      if (out.byteLength > options.maxBytes) throw new RowsEnd();
    },
  };
  try {
    await readXml(archive.read(part), reader);
  } catch (error) {
    if (!(error instanceof RowsEnd)) throw error;
  } finally {
    out.lineBreak();
  }
}

/** Ends the reading of rows, but not that of the workbook. */
class RowsEnd extends Error {}

interface Cell {
  readonly type: string;
  readonly style: number;
  readonly value: string;
}

function showCell({ type, style, value }: Cell, { shared, formats }: RowOptions): string {
  switch (type) {
    case 's':
      return shared.show(Number(value));
    case 'n':
      return formats.show(value, style);
    case 'b':
      return value.trim() === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return '';
    default:
      return withoutEscapes(value);
  }
}
