import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  countNeedles,
  findBestHit,
  type Hit,
  isEnough,
  type TextQuery,
} from '../../../../../server/src/content-search/analysis/text-hits.ts';
import { startSearch } from '../find-query.ts';

/** The search for the passage ends here, because a large PDF is loaded for it, part by part. */
const MAX_PAGES = 300;
const MAX_MS = 10_000;

export interface PdfPassage {
  /** The number of its page, from 1. */
  readonly page: number;
  /** What is found first in it. */
  readonly needle: string;
}

/** Finds where most of a query is. Undefined if nothing is found in time, or if the signal is aborted. */
export async function findPassage(
  pdf: PDFDocumentProxy,
  query: TextQuery,
  signal: AbortSignal,
): Promise<PdfPassage | undefined> {
  const search = startSearch(query);
  const all = new Set([...query.words, ...query.runs]).size;
  const hits: (Hit & { readonly page: number })[] = [];
  const since = performance.now();
  let best: (typeof hits)[number] | undefined;
  let offset = 0;
  for (let page = 1; page <= Math.min(pdf.numPages, MAX_PAGES); page += 1) {
    // A damaged page says so where it is drawn.
    const text = await readText(pdf, page).catch(() => '');
    if (signal.aborted) return undefined;
    const found = Array.from(search(text)).flat();
    const moved = found.map((hit) => ({ ...hit, start: offset + hit.start, end: offset + hit.end, page }));
    hits.push(...moved.toSorted((one, other) => one.start - other.start));
    offset += text.length + 1;
    best = findBestHit(hits);
    const isBest = best !== undefined && countNeedles(hits, hits.indexOf(best)) === all;
    if (isBest || isEnough(hits.length, offset) || performance.now() - since > MAX_MS) break;
  }
  return best;
}

async function readText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}
