import { Loader, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type DocumentFault,
  type DocumentFormat,
  type FrameNews,
  type FrameOrder,
  frameOf,
  isFrameKey,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_SLIDES,
  maxBytesOf,
} from '../../../common/document-frame.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { currentLanguage } from '../../../messages/i18n.ts';
import classes from '../preview.module.css';
import { readFile } from './read-file.ts';

/** How long the user waits for a document before it counts as not showable. */
const MAX_MS = 30_000;

interface DocumentContentProps {
  readonly format: DocumentFormat;
  readonly address: string;
  readonly queryKey: readonly unknown[];
  readonly title: string;
  /** In bytes. */
  readonly size: number;
  /** Renders the replacement if the document cannot be shown. */
  readonly fallback: (fault: DocumentFault) => ReactNode;
}

/** An office document, in a frame that can do nothing but show it. */
export function DocumentContent(props: DocumentContentProps) {
  const { format, address, queryKey, title, size, fallback } = props;
  const { t } = useTranslation();
  // It is loaded completely before it is shown.
  const isSmall = size <= maxBytesOf(format);
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await (await readFile(address, signal)).arrayBuffer(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: isSmall,
  });
  const [fault, setFault] = useState<DocumentFault>();
  if (!isSmall) return fallback('too-large');
  if (error !== null) return fallback('damaged');
  if (fault !== undefined) return fallback(fault);
  if (data === undefined)
    return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  return <DocumentFrame format={format} bytes={data} title={title} onFault={setFault} />;
}

interface FrameProps {
  readonly format: DocumentFormat;
  readonly bytes: ArrayBuffer;
  readonly title: string;
  readonly onFault: (fault: DocumentFault) => void;
}

function DocumentFrame({ format, bytes, title, onFault }: FrameProps) {
  const { t } = useTranslation();
  const isDark = useComputedColorScheme() === 'dark';
  const frame = useRef<HTMLIFrameElement>(null);
  const [isShown, setShown] = useState(false);
  const order: FrameOrder = {
    bytes,
    isDark,
    language: currentLanguage(),
    cutNotice: t('preview.cutSheet', { rows: formatNumber(MAX_ROWS), columns: formatNumber(MAX_COLUMNS) }),
    emptyNotice: t('preview.emptySheet'),
    sheetsLabel: t('preview.sheets'),
    labels: {
      contents: t('preview.outline'),
      previousChapter: t('preview.previousChapter'),
      nextChapter: t('preview.nextChapter'),
      smaller: t('preview.smallerText'),
      larger: t('preview.largerText'),
      brokenChapter: t('preview.brokenChapter'),
      cutSlides: t('preview.cutSlides', { number: formatNumber(MAX_SLIDES) }),
    },
  };
  const take = useEffectEvent((news: FrameNews) => {
    if (news.kind === 'ready') frame.current?.contentWindow?.postMessage(order, '*');
    else if (news.kind === 'shown') setShown(true);
    else if (news.kind === 'failed') onFault(toFault(news.reason));
    else if (isFrameKey(news.key)) pressKey(frame.current, news.key);
  });
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) take(data);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    if (isShown) return;
    const timer = setTimeout(() => onFault('too-large'), MAX_MS);
    return () => clearTimeout(timer);
  }, [isShown, onFault]);
  return (
    <>
      <iframe
        ref={frame}
        className={frameOf(format) === 'xlsx' ? `${classes.pdf} ${classes.sheet}` : classes.pdf}
        src={`/frames/${frameOf(format)}.html`}
        title={title}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        data-shown={isShown || undefined}
      />
      {!isShown && <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />}
    </>
  );
}

/** The frame is not trusted, so it could send anything. */
function toFault(reason: DocumentFault): DocumentFault {
  return reason === 'too-large' || reason === 'protected' ? reason : 'damaged';
}

/** Repeats a key that was pressed in the frame as if it had been pressed in the page. */
function pressKey(frame: HTMLElement | null, key: string): void {
  frame?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}
