import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { EntryDetails, EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { EntryIcon } from '../../entries/entry-icon.tsx';
import classes from '../preview.module.css';
import { readFile } from './read-file.ts';

/** A PDF is loaded completely before it is shown. */
const MAX_BYTES = 64_000_000;

/** A PDF of the drive. One that a visitor has sent is shown on demand. */
export function PdfView({ entry, instead }: { entry: EntryRecord; instead: ReactNode }) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const isShown = canShowPdf(entry.size);
  const details = useQuery({
    queryKey: KEYS.entry(entry.id),
    queryFn: ({ signal }) => ask<EntryDetails>('GET', `/api/v2/files/${entry.id}`, { signal }),
    enabled: isShown,
  });
  if (!isShown) return instead;
  if (details.isPending && !isAsked) {
    return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  }
  const isOwn = details.data !== undefined && details.data.metadata['link:title'] === undefined;
  if (!isOwn && !isAsked) return <AskBeforePdf file={entry} onShow={() => setAsked(true)} />;
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

interface AskBeforePdfProps {
  readonly file: Pick<EntryRecord, 'filename' | 'contentType' | 'directory' | 'size'>;
  readonly onShow: () => void;
}

/** Shown before a PDF of someone else: the script of a PDF can open dialogs over this page. */
export function AskBeforePdf({ file, onShow }: AskBeforePdfProps) {
  const { t } = useTranslation();
  return (
    <Stack align="center" justify="center" gap="xs" className={classes.card}>
      <EntryIcon entry={file} size={72} />
      <Text fw={600} ta="center" className={classes.long}>
        {file.filename}
      </Text>
      <Text size="sm" className={classes.quiet}>
        {formatBytes(file.size)}
      </Text>
      <Text size="sm" ta="center">
        {t('preview.strangePdf')}
      </Text>
      <Button mt="sm" leftSection={<IconEye size={18} aria-hidden />} onClick={onShow}>
        {t('preview.showPreview')}
      </Button>
    </Stack>
  );
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
