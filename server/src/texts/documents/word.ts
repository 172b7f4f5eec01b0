import type { TextCollector } from '../text-collector.ts';
import type { DocumentArchive } from './document-archive.ts';
import { collectParagraphs, type ParagraphRules } from './paragraphs.ts';
import { readRelations, targetsOf } from './relations.ts';

export const OFFICE_PARAGRAPHS: ParagraphRules = {
  texts: new Set(['t']),
  paragraphs: new Set(['p']),
  breaks: new Set(['br', 'cr']),
  spaces: new Set(['tab', 'ptab']),
  hyphens: new Set(['noBreakHyphen']),
  cells: new Set(['tc']),
  rows: new Set(['tr']),
  // A copy of its neighbour for old programs; the pronunciation above Japanese text.
  skipped: new Set(['Fallback', 'rt']),
};

const NOTES = ['footnotes', 'endnotes', 'comments', 'header', 'footer'];

/** Takes the text from a docx: the body, then notes, comments, headers and footers. */
export async function collectWord(archive: DocumentArchive, main: string, out: TextCollector): Promise<void> {
  const relations = await readRelations(archive, main);
  await collectParagraphs(archive.read(main), OFFICE_PARAGRAPHS, out);
  for (const part of targetsOf(relations, ...NOTES))
    await archive.collectOptional(() => collectParagraphs(archive.read(part), OFFICE_PARAGRAPHS, out));
}
