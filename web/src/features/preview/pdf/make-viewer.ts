// The viewer of pdf.js reads the library itself from a global, which this module sets.
import { AnnotationMode, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  EventBus,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';

/** Each page is an element in the column, and a file can claim to have millions of pages. */
export const MAX_PAGES = 5_000;
/** Limits the memory of each drawn page to 24 MB. The viewer keeps at most ten. */
const MAX_PIXELS = 6_000_000;
/** Mobile browsers draw nothing on larger canvases. */
const MAX_SIDE = 8_192;

/** Other protocols can start other apps. */
const SAFE_LINK = /^(?:https?|mailto):/i;

/** Where a link or an entry of the outline leads. */
export type Destination = string | readonly unknown[] | null;

export interface Matches {
  /** From 1; 0 while none is chosen. */
  readonly current: number;
  readonly total: number;
}

interface ViewerEvents {
  /** Called when all pages have their places. */
  readonly onReady: () => void;
  readonly onPage: (page: number) => void;
  /** @param preset such as `page-width`, if the zoom follows the window */
  readonly onZoom: (scale: number, preset: string | undefined) => void;
  readonly onMatches: (matches: Matches) => void;
  /** Called when the search of the whole document has begun or ended. */
  readonly onSearching: (isSearching: boolean) => void;
  /** Called with the element of a page that cannot be drawn. */
  readonly onBrokenPage: (element: HTMLElement) => void;
  readonly nameOfPage: (page: number) => string;
}

/** The pages of a PDF in a scrolling element. */
export interface Viewer {
  readonly pages: PDFViewer;
  readonly goTo: (destination: Destination) => void;
  readonly find: (query: string, step?: 'next' | 'previous') => void;
  readonly endFind: () => void;
  readonly close: () => void;
}

/** @param container has one `div` for the pages */
export function makeViewer(container: HTMLDivElement, pdf: PDFDocumentProxy, events: ViewerEvents): Viewer {
  const stop = new AbortController();
  const eventBus = new EventBus();
  const linkService = new SafeLinks({
    eventBus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
  });
  const findController = new PDFFindController({ eventBus, linkService });
  limitPages(pdf);
  const pages = new PDFViewer({
    ...{ container, eventBus, linkService, findController, abortSignal: stop.signal },
    // No forms, so that nothing seems to be saved.
    annotationMode: AnnotationMode.ENABLE,
    maxCanvasPixels: MAX_PIXELS,
    maxCanvasDim: MAX_SIDE,
    removePageBorders: true,
    l10n: NO_TEXTS,
  });
  linkService.setViewer(pages);
  listen(eventBus, pages, events);
  linkService.setDocument(pdf);
  pages.setDocument(pdf);
  const find = (query: string, step?: 'next' | 'previous') =>
    eventBus.dispatch('find', {
      query,
      type: step === undefined ? '' : 'again',
      findPrevious: step === 'previous',
      highlightAll: true,
    });
  return {
    ...{ pages, find },
    goTo: (destination) => void linkService.goToDestination(destination as string),
    endFind: () => eventBus.dispatch('findbarclose', {}),
    close: () => {
      stop.abort();
      // The types do not know that this closes the document.
      pages.setDocument(null as never);
      linkService.setDocument(null);
    },
  };
}

function listen(bus: EventBus, pages: PDFViewer, events: ViewerEvents): void {
  bus.on('pagesinit', () => {
    for (let index = 0; index < pages.pagesCount; index += 1) {
      const page: HTMLElement = pages.getPageView(index).div;
      page.setAttribute('role', 'group');
      page.setAttribute('aria-label', events.nameOfPage(index + 1));
    }
    pages.currentScaleValue = 'auto';
    events.onReady();
  });
  bus.on('pagerender', ({ source }: { source: { pdfPage: PDFPageProxy } }) => keepLinksOnly(source.pdfPage));
  bus.on('pagerendered', ({ source, error }: { source: { div: HTMLElement }; error: unknown }) => {
    if (error !== null && error !== undefined) events.onBrokenPage(source.div);
  });
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => events.onPage(pageNumber));
  bus.on('scalechanging', ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
    events.onZoom(scale, presetValue),
  );
  const onMatches = ({ matchesCount }: { matchesCount: Matches }) => events.onMatches(matchesCount);
  bus.on('updatefindmatchescount', onMatches);
  bus.on('updatefindcontrolstate', ({ state, ...found }: { state: number; matchesCount: Matches }) => {
    events.onSearching(state === PENDING);
    onMatches(found);
  });
}

/** The state of a search that has not found its next match yet. */
const PENDING = 3;

function limitPages(pdf: PDFDocumentProxy): void {
  if (pdf.numPages <= MAX_PAGES) return;
  Object.defineProperty(pdf, 'numPages', { value: MAX_PAGES });
  pdf.pagesMapper.pagesNumber = MAX_PAGES;
}

/** A page is drawn again after each zoom. */
const changedPages = new WeakSet<PDFPageProxy>();

/** Leaves out comments and forms. They are drawn, but would need icons and dialogs as elements. */
function keepLinksOnly(page: PDFPageProxy): void {
  if (changedPages.has(page)) return;
  changedPages.add(page);
  const read = page.getAnnotations;
  page.getAnnotations = async (options) => {
    const all = await read.call(page, options);
    return all.filter(({ subtype }) => subtype === 'Link');
  };
}

/** Follows links within the document, and makes only safe external ones clickable. */
class SafeLinks extends PDFLinkService {
  override addLinkAttributes(link: HTMLAnchorElement, url: string, newWindow?: boolean): void {
    if (SAFE_LINK.test(url)) super.addLinkAttributes(link, url, newWindow);
  }
}

/** Our own texts are in our messages. The texts of pdf.js are for layers that we do not show. */
const NO_TEXTS = {
  pause: () => undefined,
  resume: () => undefined,
  getLanguage: () => 'en',
  getDirection: () => 'ltr',
  get: async () => '',
  translate: async () => undefined,
  translateOnce: async () => undefined,
  destroy: async () => undefined,
} as never;
