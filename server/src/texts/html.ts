import { type Handler, Parser } from 'htmlparser2';
import { decodePlainText } from './encoding.ts';
import { NoText } from './no-text.ts';
import type { TextCollector } from './text-collector.ts';

/** Browsers nest at most 512 elements. */
const MAX_DEPTH = 2_000;

/** Elements whose content is not shown as text. */
const SKIPPED = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'select', 'textarea'],
  // The pronunciation above Japanese text.
  ...['rt', 'rp'],
]);

/** Elements that do not end a word. All other elements end a line, or a cell. */
const INLINE = new Set([
  ...[
    'a',
    'abbr',
    'acronym',
    'b',
    'bdi',
    'bdo',
    'big',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'font',
    'i',
  ],
  ...[
    'ins',
    'kbd',
    'label',
    'mark',
    'nobr',
    'q',
    'rb',
    'rp',
    'rt',
    'ruby',
    's',
    'samp',
    'small',
    'span',
    'strike',
  ],
  ...['strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
]);
const CELLS = new Set(['td', 'th', 'img', 'input', 'button']);

/** The encoding that a page declares at its beginning. */
const CHARSET =
  /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})|<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([\w-]{1,40})/i;
const DECLARATION_BYTES = 4_096;

/** The text is parsed in pieces, so the parser stops soon when there is enough text. */
const PIECE_LENGTH = 64 * 1_024;

/**
 * Takes the text from a page, without scripts, styles and comments.
 * @param declared the encoding that was sent with the page
 */
export async function collectHtml(bytes: Buffer, out: TextCollector, declared?: string): Promise<void> {
  const [, inMeta, inXml] = CHARSET.exec(bytes.toString('latin1', 0, DECLARATION_BYTES)) ?? [];
  collectMarkup(await decodePlainText(bytes, { declared: declared ?? inMeta ?? inXml }), out);
}

export function collectMarkup(markup: string, out: TextCollector): void {
  let skipped = 0;
  let depth = 0;
  let preformatted = 0;
  const noteMark = new NoteMark();
  const separate = (name: string) => {
    if (skipped > 0 || INLINE.has(name)) return;
    CELLS.has(name) ? out.space() : out.lineBreak();
  };
  const handler: Partial<Handler> = {
    onopentag: (name, attributes) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new NoText('over-limit', `The page is deeper than ${MAX_DEPTH} elements.`);
      separate(name);
      if (noteMark.open(name, attributes.class) && skipped === 0) out.space();
      if (name === 'pre') preformatted += 1;
      if (SKIPPED.has(name)) skipped += 1;
      else if (name === 'img' && skipped === 0) out.add(attributes.alt ?? '');
    },
    ontext: (text) => {
      if (skipped === 0) out.add(preformatted > 0 ? text : withoutLineBreaks(text));
    },
    onclosetag: (name) => {
      depth -= 1;
      if (name === 'pre') preformatted -= 1;
      if (SKIPPED.has(name)) skipped -= 1;
      if (noteMark.close(name) && skipped === 0) out.space();
      separate(name);
    },
  };
  // The chapters of books are XHTML, where an empty `<title/>` has no end tag.
  const parser = new Parser(handler, { recognizeSelfClosing: true });
  for (let at = 0; at < markup.length; at += PIECE_LENGTH) parser.write(markup.slice(at, at + PIECE_LENGTH));
  parser.end();
  out.publish();
}

/**
 * The number of a note, which is no part of the word next to it: a raised link, or a link of LibreOffice at
 * the start of a note.
 */
class NoteMark {
  #links = 0;
  #raised = 0;
  #isMarked = false;

  /** Whether a mark begins. */
  open(name: string, className = ''): boolean {
    if (name === 'a') this.#links += 1;
    else if (name === 'sup') this.#raised += 1;
    else return false;
    const isNew = !this.#isMarked && ((this.#links > 0 && this.#raised > 0) || NOTE_LINK.test(className));
    this.#isMarked ||= isNew;
    return isNew;
  }

  /** Whether a mark ends. */
  close(name: string): boolean {
    if (name === 'a') this.#links -= 1;
    else if (name === 'sup') this.#raised -= 1;
    else return false;
    const isOver = this.#isMarked && this.#links <= 0 && this.#raised <= 0;
    if (isOver) this.#isMarked = false;
    return isOver;
  }
}

const NOTE_LINK = /^sd(?:foot|end)note(?:anc|sym)$/;

/** Chinese and Japanese have no spaces, so the line breaks in their source are no spaces either. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3001-\\u303f';
const BREAK_WITHOUT_SPACE = new RegExp(
  `(?<=[${UNSPACED}\\uff01-\\uff1f])[\\t ]*\\r?\\n[\\t ]*(?=[${UNSPACED}])`,
  'gu',
);

function withoutLineBreaks(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  return text.replace(BREAK_WITHOUT_SPACE, '').replace(/[\r\n]/g, ' ');
}
