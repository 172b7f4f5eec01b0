import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../preview.module.css';
import { readFile } from './read-file.ts';

interface PdfFrameProps {
  readonly address: string;
  readonly queryKey: readonly unknown[];
  readonly title: string;
  /** Shown if the PDF cannot be read. */
  readonly instead: ReactNode;
}

/**
 * A PDF in the browser's own viewer. The blob has the type PDF, whatever its bytes are, so the browser never
 * interprets it as a page of our origin.
 */
export function PdfFrame({ address, queryKey, title, instead }: PdfFrameProps) {
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
  // A new frame, because the focus would stay in the document that the old one replaced.
  return <Frame key={url} url={url} title={title} />;
}

/**
 * Keys pressed in the viewer never reach the page. The focus stays outside, so that Escape closes the
 * preview.
 */
function Frame({ url, title }: { readonly url: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let before: Element | null = document.activeElement;
    const remember = () => {
      before = document.activeElement;
    };
    const takeBack = () => {
      // The focus moves only after this event.
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
