import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';
import type { DocumentArchive } from './document-archive.ts';
import { collectParagraphs, type ParagraphRules } from './paragraphs.ts';
import { readXml } from './xml.ts';

const PARAGRAPHS: ParagraphRules = {
  // The title and description of a picture are its alternative text.
  texts: new Set(['p', 'h', 'title', 'desc']),
  paragraphs: new Set(['p', 'h']),
  breaks: new Set(['line-break']),
  spaces: new Set(['s', 'tab']),
  cells: new Set(['table-cell', 'covered-table-cell']),
  rows: new Set(['table-row']),
  // Their numbers, authors and dates are not in paragraphs.
  asides: new Set(['note', 'annotation', 'frame', 'title', 'desc']),
  // Deleted text; the pronunciation above Japanese text.
  skipped: new Set(['tracked-changes', 'ruby-text']),
};

const SHEETS: ParagraphRules = { ...PARAGRAPHS, named: new Set(['table']) };

/** Takes the text from an odt, ods or odp: its content, then the headers and footers of an odt. */
export async function collectOpenDocument(
  archive: DocumentArchive,
  type: string,
  out: TextCollector,
): Promise<void> {
  if (await isEncrypted(archive)) throw new NoText('encrypted', 'The document is encrypted.');
  await collectParagraphs(
    archive.read('content.xml'),
    type.includes('spreadsheet') ? SHEETS : PARAGRAPHS,
    out,
  );
  // The master pages of presentations have only placeholders, and those of sheets the word "Page".
  if (!type.includes('opendocument.text')) return;
  await archive.collectOptional(() => collectParagraphs(archive.read('styles.xml'), PARAGRAPHS, out));
}

async function isEncrypted(archive: DocumentArchive): Promise<boolean> {
  let isFound = false;
  await readXml(archive.read('META-INF/manifest.xml'), {
    onOpen: (name) => {
      if (name === 'encryption-data') isFound = true;
    },
  });
  return isFound;
}
