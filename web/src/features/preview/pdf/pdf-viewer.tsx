import { Loader, Stack, Text } from '@mantine/core';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import { useIsNarrow } from '../../../ui/screen-size.ts';
import { type Matches, makeViewer, type Viewer } from './make-viewer.ts';
import { PasswordForm } from './password-form.tsx';
import classes from './pdf.module.css';
import { PdfBar } from './pdf-bar.tsx';
import { type OutlineItem, PdfOutline, useOutline } from './pdf-outline.tsx';
import { PdfSearch } from './pdf-search.tsx';
import { useGestures } from './use-gestures.ts';
import { usePassage } from './use-passage.ts';
import { type PdfFault, type PdfSource, usePdf } from './use-pdf.ts';
import { usePdfKeys } from './use-pdf-keys.ts';

interface PdfViewerProps {
  readonly source: PdfSource;
  readonly title: string;
  /** The search text that leads to the PDF. */
  readonly query: string;
  readonly fallback: (fault: PdfFault) => ReactNode;
}

/** A PDF, drawn by pdf.js. Its scripts do not run, and its forms cannot be filled in. */
export function PdfViewer({ source, title, query, fallback }: PdfViewerProps) {
  const { t } = useTranslation();
  const state = usePdf(source);
  switch (state.kind) {
    case 'failed':
      return fallback(state.fault);
    case 'open':
      return <PdfDocument pdf={state.pdf} title={title} query={query} />;
    case 'locked':
      return <PasswordForm title={title} wasWrong={state.wasWrong} onPassword={state.unlock} />;
    case 'loading':
      return (
        <Stack align="center" gap="xs">
          <Loader color="gray" aria-label={t('preview.loading')} />
          {state.percent > 0 && (
            <Text size="sm">{t('preview.percent', { percent: formatNumber(state.percent) })}</Text>
          )}
        </Stack>
      );
  }
}

interface PdfDocumentProps extends Pick<PdfViewerProps, 'title' | 'query'> {
  readonly pdf: PDFDocumentProxy;
}

function PdfDocument({ pdf, title, query }: PdfDocumentProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const { viewer, isReady, page, zoom, matches, isSearching } = useViewer(pdf, box);
  const outline = useOutline(pdf);
  const isNarrow = useIsNarrow();
  const [hasOutline, setHasOutline] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  const readyBox = isReady ? box : null;
  usePassage({ pdf, query, box: readyBox });
  useGestures(readyBox, viewer);
  const openSearch = () => {
    setFinding(true);
    searchField.current?.select();
  };
  usePdfKeys({ box: readyBox, viewer, onSearch: openSearch });
  const closeSearch = () => {
    setFinding(false);
    viewer?.endFind();
    box?.focus();
  };
  const goTo = ({ dest }: OutlineItem) => {
    viewer?.goTo(dest);
    // The outline covers the pages.
    if (isNarrow) setHasOutline(false);
    box?.focus();
  };
  return (
    <div className={classes.document}>
      <PdfBar
        {...{ viewer, page, zoom, isFinding, hasOutline }}
        pageCount={pdf.numPages}
        onSearch={isFinding ? closeSearch : openSearch}
        onOutline={outline.length === 0 ? undefined : () => setHasOutline(!hasOutline)}
      />
      {isFinding && viewer !== undefined && (
        <PdfSearch {...{ viewer, matches, isSearching }} ref={searchField} onClose={closeSearch} />
      )}
      <div className={classes.middle}>
        {hasOutline && <PdfOutline items={outline} onChoose={goTo} />}
        <div className={classes.room}>
          {/* The viewer of pdf.js needs two elements of this kind. */}
          {/* biome-ignore lint/a11y/useSemanticElements: a section would be another kind of element */}
          <div
            ref={setBox}
            className={classes.column}
            role="region"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
            tabIndex={0}
            aria-label={title}
          >
            <div className={classes.pages} />
          </div>
        </div>
      </div>
    </div>
  );
}

const NO_MATCHES: Matches = { current: 0, total: 0 };

/** Shows the PDF in the element, and tells what the viewer says about it. */
function useViewer(pdf: PDFDocumentProxy, box: HTMLDivElement | null) {
  const { t } = useTranslation();
  const [viewer, setViewer] = useState<Viewer>();
  const [isReady, setReady] = useState(false);
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState<{ scale: number; preset: string | undefined }>();
  const [matches, setMatches] = useState(NO_MATCHES);
  const [isSearching, setSearching] = useState(false);
  const tellBroken = useEffectEvent((element: HTMLElement) => {
    const notice = document.createElement('p');
    notice.className = classes.fault ?? '';
    notice.dataset.unsearched = '';
    notice.textContent = t('preview.brokenPage');
    element.append(notice);
  });
  const nameOfPage = useEffectEvent((at: number) => t('preview.pdfPage', { at: formatNumber(at) }));
  useEffect(() => {
    if (box === null) return;
    const made = makeViewer(box, pdf, {
      onReady: () => setReady(true),
      onPage: setPage,
      onZoom: (scale, preset) => setZoom({ scale, preset }),
      onMatches: setMatches,
      onSearching: setSearching,
      onBrokenPage: (element) => tellBroken(element),
      nameOfPage: (at) => nameOfPage(at),
    });
    setViewer(made);
    const observer = new ResizeObserver(() => {
      // A zoom that follows the size of the window.
      const value = made.pages.currentScaleValue;
      if (Number.isNaN(Number(value))) made.pages.currentScaleValue = value;
      made.pages.update();
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      made.close();
      setViewer(undefined);
      setReady(false);
    };
  }, [pdf, box]);
  return { viewer, isReady, page, zoom, matches, isSearching };
}
