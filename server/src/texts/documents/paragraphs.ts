import type { TextCollector } from '../text-collector.ts';
import { readXml, type XmlReader } from './xml.ts';

/** The elements of a document format, by their names without a prefix. */
export interface ParagraphRules {
  /** Their text is shown, with that of the elements in them. */
  readonly texts: ReadonlySet<string>;
  /** They begin and end a line. */
  readonly paragraphs: ReadonlySet<string>;
  readonly breaks: ReadonlySet<string>;
  readonly spaces: ReadonlySet<string>;
  readonly hyphens?: ReadonlySet<string>;
  /** Paragraphs in a cell do not end a line, so a row of a table is one line. */
  readonly cells: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
  /** Elements between the words of a paragraph, such as notes. Only the texts in them are shown. */
  readonly asides?: ReadonlySet<string>;
  /** Nothing in them is shown. */
  readonly skipped: ReadonlySet<string>;
  /** Elements whose prefixed attribute `name` is shown. */
  readonly named?: ReadonlySet<string>;
}

/** Takes the text from the paragraphs and tables of an office document. */
export async function collectParagraphs(
  chunks: AsyncIterable<Uint8Array>,
  rules: ParagraphRules,
  out: TextCollector,
): Promise<void> {
  let texts = 0;
  /** The values of `texts` outside of the asides. */
  const outside: number[] = [];
  let cells = 0;
  let skipped = 0;
  const separate = () => (cells > 0 ? out.space() : out.lineBreak());
  const reader: XmlReader = {
    onOpen: (name, attributes) => {
      if (rules.skipped.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (rules.asides?.has(name)) {
        outside.push(texts);
        texts = 0;
        out.space();
      }
      if (rules.paragraphs.has(name)) separate();
      if (rules.texts.has(name)) texts += 1;
      if (rules.cells.has(name)) cells += 1;
      if (rules.spaces.has(name)) out.space();
      if (rules.hyphens?.has(name)) out.add('-');
      if (rules.breaks.has(name)) out.lineBreak();
      if (rules.named?.has(name)) {
        out.add(attributes.getPrefixed('name') ?? '');
        out.lineBreak();
      }
    },
    onText: (text) => {
      if (texts > 0 && skipped === 0) out.add(text.replace(/[\r\n]/g, ' '));
    },
    onClose: (name) => {
      if (rules.skipped.has(name)) skipped -= 1;
      else if (skipped > 0) return;
      if (rules.texts.has(name)) texts -= 1;
      if (rules.cells.has(name)) {
        cells -= 1;
        out.space();
      }
      if (rules.paragraphs.has(name)) separate();
      if (rules.asides?.has(name)) {
        texts = outside.pop() ?? 0;
        out.space();
      }
      if (rules.rows.has(name)) out.lineBreak();
    },
  };
  try {
    await readXml(chunks, reader);
  } finally {
    out.lineBreak();
  }
  out.publish();
}
