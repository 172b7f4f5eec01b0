import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { addressOf } from '../../../api/address-of.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { EntryIcon } from '../../entries/entry-icon.tsx';
import { useContentQuery } from '../../search/use-content-search.ts';
import type { PdfFault } from '../pdf/use-pdf.ts';
import classes from '../preview.module.css';
import { PdfFrame } from './pdf-frame.tsx';

const PdfPages = lazyPart(async () => (await import('../pdf/pdf-pages.tsx')).PdfPages);

/** A PDF is loaded completely before it is shown. */
const MAX_BYTES = 64_000_000;

interface PdfViewProps {
  readonly entry: EntryRecord;
  readonly fallback: (reason: PdfFault | 'tooLarge') => ReactNode;
}

/** A PDF of the drive. If a visitor has sent it, the user is asked first. */
export function PdfView({ entry, fallback }: PdfViewProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const isShown = canShowPdf(entry.size);
  const query = useContentQuery();
  const details = useQuery({
    ...queryOf(KEYS.entry(entry.id), 'GET /api/v2/files/{fileId}', {
      path: { fileId: entry.id },
      drive: entry.driveId,
    }),
    enabled: isShown,
  });
  if (!isShown) return fallback('tooLarge');
  if (details.isPending && !isAsked) {
    return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  }
  const isOwn = details.data !== undefined && details.data.metadata['link:title'] === undefined;
  if (!isOwn && !isAsked) return <AskBeforePdf file={entry} onShow={() => setAsked(true)} />;
  return (
    <PdfContent
      address={addressOf('GET /api/files/download/{fileId}', {
        path: { fileId: entry.id },
        drive: entry.driveId,
      })}
      queryKey={[...KEYS.entry(entry.id), 'pdf']}
      file={entry}
      hasParts
      query={query}
      fallback={fallback}
    />
  );
}

/** Whether a PDF of that size in bytes can be shown. */
export function canShowPdf(size: number): boolean {
  return size <= MAX_BYTES;
}

interface AskBeforePdfProps {
  readonly file: Pick<EntryRecord, 'filename' | 'contentType' | 'directory' | 'size'>;
  readonly onShow: () => void;
}

/** Asks before showing someone else's PDF, because scripts in a PDF can open dialogs over this page. */
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
  readonly file: Pick<EntryRecord, 'filename' | 'size'>;
  /** Whether parts of the file can be requested. Not at a share, where each request may count as one use. */
  readonly hasParts?: boolean;
  /** Opens the PDF where these words are. */
  readonly query?: string;
  readonly fallback: (fault: PdfFault) => ReactNode;
}

/**
 * A PDF in the browser's own viewer. If there is none, as on most phones, pdf.js draws it, and also after a search:
 * other viewers cannot be told where to open.
 */
export function PdfContent(props: PdfContentProps) {
  const { address, queryKey, file, hasParts = false, query = '', fallback } = props;
  const { t } = useTranslation();
  const title = file.filename;
  if (navigator.pdfViewerEnabled && query === '')
    return <PdfFrame {...{ address, queryKey, title }} instead={fallback('notLoaded')} />;
  const loader = <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  return (
    <Suspense fallback={loader}>
      <PdfPages source={{ address, size: file.size, hasParts }} {...{ title, query, fallback }} />
    </Suspense>
  );
}
