import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import classes from '../preview.module.css';
import { readFile } from './read-file.ts';

/** A PDF is loaded completely before it is shown. */
const MAX_BYTES = 64_000_000;

/** A PDF of the drive. */
export function PdfView({ entry, instead }: { entry: EntryRecord; instead: ReactNode }) {
  if (!canShowPdf(entry.size)) return instead;
  return (
    <PdfContent
      address={`/api/files/download/${entry.id}`}
      queryKey={[...KEYS.entry(entry.id), 'pdf']}
      title={entry.filename}
      instead={instead}
    />
  );
}

/** Whether this browser can show a PDF of that size in bytes. */
export function canShowPdf(size: number): boolean {
  return navigator.pdfViewerEnabled && size <= MAX_BYTES;
}

interface PdfContentProps {
  readonly address: string;
  readonly queryKey: readonly unknown[];
  readonly title: string;
  /** Shown if it cannot be read. */
  readonly instead: ReactNode;
}

/**
 * A PDF in the browser's own viewer. It is passed as a blob of type PDF, whatever its bytes are, so that it
 * can never be interpreted as a page of our origin.
 */
export function PdfContent({ address, queryKey, title, instead }: PdfContentProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await readPdf(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const address = URL.createObjectURL(data);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [data]);
  if (error !== null) return instead;
  if (url === undefined)
    return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  return <PdfFrame url={url} title={title} />;
}

/**
 * Keys that are pressed in the viewer never reach the page, so the focus stays outside, where Escape closes.
 */
function PdfFrame({ url, title }: { readonly url: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let before: Element | null = document.activeElement;
    const remember = () => {
      before = document.activeElement;
    };
    const takeBack = () => {
      // The focus has moved only after this event.
      setTimeout(() => {
        if (document.activeElement !== frame.current) return;
        if (before instanceof HTMLElement && before.isConnected && before !== frame.current) before.focus();
        else frame.current?.blur();
      });
    };
    document.addEventListener('focusin', remember);
    window.addEventListener('blur', takeBack);
    return () => {
      document.removeEventListener('focusin', remember);
      window.removeEventListener('blur', takeBack);
    };
  }, []);
  return <iframe ref={frame} className={classes.pdf} src={url} title={title} tabIndex={-1} />;
}

async function readPdf(address: string, signal: AbortSignal): Promise<Blob> {
  const bytes = await readFile(address, signal);
  return bytes.slice(0, bytes.size, 'application/pdf');
}
