import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';
import type { EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import classes from '../preview.module.css';

/** A PDF is loaded completely before it is shown. */
const MOST_BYTES = 64_000_000;

/**
 * A PDF in the browser's own viewer. It is passed as a blob of type PDF, whatever its bytes are, so that it
 * can never be interpreted as a page of our origin.
 */
export function PdfView({ entry, instead }: { entry: EntryRecord; instead: ReactNode }) {
  const { t } = useTranslation();
  const canShow = navigator.pdfViewerEnabled && entry.size <= MOST_BYTES;
  const { data, error } = useQuery({
    queryKey: [...KEYS.entry(entry.id), 'pdf'],
    queryFn: async ({ signal }) => await readPdf(entry, signal),
    enabled: canShow,
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
  if (!canShow || error !== null) return instead;
  if (url === undefined)
    return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  return <PdfFrame url={url} title={entry.filename} />;
}

/** Keys that are pressed in the viewer never reach the page, so the focus stays outside, where Escape closes. */
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

async function readPdf({ id }: EntryRecord, signal: AbortSignal): Promise<Blob> {
  const response = await fetchAnswer('GET', `/api/files/download/${id}`, { signal });
  if (!response.ok) throw new ApiError(response.status, 'The file could not be read.');
  const bytes = await response.blob();
  return bytes.slice(0, bytes.size, 'application/pdf');
}
