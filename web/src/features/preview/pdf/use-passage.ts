import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Hit } from '../../../../../server/src/content-search/analysis/text-hits.ts';
import { type FoundRange, useHighlight } from '../../../ui/use-highlight.ts';
import { readQuery, toFinder } from '../find-query.ts';
import { showRange } from '../show-range.ts';
import { useHasMoved } from '../use-has-moved.ts';
import { findPassage, type PdfPassage } from './find-passage.ts';

interface PassageOptions {
  readonly pdf: PDFDocumentProxy;
  /** The search text. */
  readonly query: string;
  /** The scrolling element. Null while the pages have no places in it. */
  readonly box: HTMLElement | null;
}

/**
 * Opens a PDF at the passage with most of a search text, and highlights the text on all drawn pages. It scrolls again
 * when pages are drawn, unless the reader has scrolled.
 */
export function usePassage({ pdf, query, box }: PassageOptions): void {
  const hasMoved = useHasMoved(box);
  const passage = useRef<PdfPassage>(undefined);
  const found = useRef<readonly FoundRange<Hit>[]>([]);
  const terms = useMemo(() => readQuery(query), [query]);
  const show = useEffectEvent(() => {
    const { page = 0, needle } = passage.current ?? {};
    const element = box?.querySelector(`[data-page-number="${page}"]`) ?? undefined;
    if (box === null || hasMoved.current || !(element instanceof HTMLElement)) return;
    const first = found.current.find(
      (each) => each.needle === needle && element.contains(each.range.startContainer),
    );
    if (first !== undefined) showRange(box, first.range);
    // The page is drawn when it is near.
    else box.scrollTop = element.offsetTop;
  });
  useEffect(() => {
    passage.current = undefined;
    if (box === null || terms === undefined) return;
    const stop = new AbortController();
    const open = async () => {
      const first = await findPassage(pdf, terms, stop.signal);
      if (stop.signal.aborted) return;
      passage.current = first;
      show();
    };
    open().catch(() => undefined);
    return () => stop.abort();
  }, [pdf, terms, box]);
  useHighlight({
    ...{ root: box, name: 'text-match', find: useMemo(() => terms && toFinder(terms), [terms]) },
    onFound: (ranges) => {
      found.current = ranges;
      show();
    },
  });
}
