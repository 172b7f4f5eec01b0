import { Group, Loader, Stack, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import viewer from '../preview.module.css';
import classes from './pdf.module.css';
import { PdfPage } from './pdf-page.tsx';
import { usePassage } from './use-passage.ts';
import { type PdfFault, type PdfSource, usePdf } from './use-pdf.ts';

/** Each page is an element in the column, and a file can claim to have millions of pages. */
const MAX_PAGES = 2_000;
/** The maximum width of a page on a wide screen. */
const MAX_WIDTH = 960;
const GAP = 8;
const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4];
const FITTING = ZOOMS.indexOf(1);
const PERCENT = 100;
/** The number of pages drawn around the current one: at most six in total. */
const DRAWN_BEFORE = 2;
const DRAWN_AFTER = 3;

interface PdfPagesProps {
  readonly source: PdfSource;
  readonly title: string;
  /** The search text that leads to the PDF. */
  readonly query: string;
  readonly fallback: (fault: PdfFault) => ReactNode;
}

/** A PDF, drawn by pdf.js. Links and forms in it do not work, and its scripts do not run. */
export function PdfPages({ source, title, query, fallback }: PdfPagesProps) {
  const { t } = useTranslation();
  const state = usePdf(source);
  if (state.kind === 'failed') return fallback(state.fault);
  if (state.kind === 'open') {
    const { pdf, ratio } = state;
    return <Column {...{ pdf, ratio, title, query }} />;
  }
  return (
    <Stack align="center" gap="xs">
      <Loader color="gray" aria-label={t('preview.loading')} />
      {state.percent > 0 && (
        <Text size="sm">{t('preview.percent', { percent: formatNumber(state.percent) })}</Text>
      )}
    </Stack>
  );
}

interface ColumnProps extends Pick<PdfPagesProps, 'title' | 'query'> {
  readonly pdf: PDFDocumentProxy;
  readonly ratio: number;
}

function Column({ pdf, ratio, title, query }: ColumnProps) {
  const { t } = useTranslation();
  const [zoom, setZoom] = useState(FITTING);
  const { ref: sizeRef, width: room } = useElementSize<HTMLElement>();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const ref = useMergedRef(sizeRef, setBox);
  const width = room === 0 ? 0 : Math.round(Math.min(room, MAX_WIDTH) * (ZOOMS[zoom] ?? 1));
  const { current, isNear, onScroll } = usePages(box, width);
  const count = Math.min(pdf.numPages, MAX_PAGES);
  usePassage({ pdf, query, box: width > 0 ? box : null });
  return (
    <div className={classes.document}>
      <Group gap={4} justify="center" className={classes.bar}>
        <Text size="sm" className={classes.count}>
          {t('preview.pageOf', { at: formatNumber(current), all: formatNumber(pdf.numPages) })}
        </Text>
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
        {count < pdf.numPages && (
          <Text size="sm">{t('preview.firstPages', { number: formatNumber(count) })}</Text>
        )}
      </Group>
      <section
        ref={ref}
        className={classes.column}
        style={{ gap: GAP }}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
        tabIndex={0}
        aria-label={title}
      >
        {width > 0 &&
          Array.from({ length: count }, (_, index) => index + 1).map((number) => (
            <PdfPage key={number} {...{ pdf, number, width, ratio }} isNear={isNear(number)} />
          ))}
      </section>
    </div>
  );
}

function ZoomButtons({ zoom, onZoom }: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  const { t } = useTranslation();
  const percent = formatNumber(Math.round((ZOOMS[zoom] ?? 1) * PERCENT));
  const button = { size: 36, variant: 'subtle', color: 'gray' } as const;
  return (
    <>
      <IconButton
        {...button}
        label={t('preview.zoomOut')}
        disabled={zoom === 0}
        onClick={() => onZoom(zoom - 1)}
      >
        <IconZoomOut size={20} aria-hidden />
      </IconButton>
      <Text size="sm" className={viewer.percent} role="status" aria-label={t('preview.zoom')}>
        {t('preview.percent', { percent })}
      </Text>
      <IconButton
        {...button}
        label={t('preview.zoomIn')}
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
      >
        <IconZoomIn size={20} aria-hidden />
      </IconButton>
    </>
  );
}

/**
 * Finds the page that the user is reading in the scrolling column. The reading position moves through the
 * window with the scroll position: top of the window at the start of the column, bottom of it at the end.
 * @param width of the pages: when it changes, the same place stays in view
 */
function usePages(box: HTMLElement | null, width: number) {
  const [current, setCurrent] = useState(1);
  const place = useRef(0);
  const onScroll = () => {
    if (box === null) return;
    place.current = box.scrollTop / box.scrollHeight;
    const share = box.scrollTop / Math.max(1, box.scrollHeight - box.clientHeight);
    setCurrent(findPage(box.children, box.scrollTop + box.clientHeight * share));
  };
  useLayoutEffect(() => {
    if (box !== null && width > 0) box.scrollTop = place.current * box.scrollHeight;
  }, [box, width]);
  const isNear = (page: number) => page >= current - DRAWN_BEFORE && page <= current + DRAWN_AFTER;
  return { current, isNear, onScroll };
}

/** The number (from 1) of the last page that begins above a height in the column. */
function findPage(pages: HTMLCollection, height: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const page = pages[middle];
    if (page instanceof HTMLElement && page.offsetTop <= height) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
