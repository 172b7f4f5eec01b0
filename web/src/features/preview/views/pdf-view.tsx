import { Loader } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { addressOf } from '../../../api/address-of.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { useContentQuery } from '../../search/use-content-search.ts';
import type { PdfFault } from '../pdf/use-pdf.ts';
import classes from '../preview.module.css';

const PdfViewer = lazyPart(async () => (await import('../pdf/pdf-viewer.tsx')).PdfViewer);

/** pdf.js reserves memory for the whole file, although it loads only the parts that it shows. */
const MAX_BYTES = 1_000_000_000;

interface PdfViewProps {
  readonly entry: EntryRecord;
  readonly fallback: (reason: PdfFault | 'tooLarge') => ReactNode;
}

/** A PDF of the drive. */
export function PdfView({ entry, fallback }: PdfViewProps) {
  const query = useContentQuery();
  const address = addressOf('GET /api/files/download/{fileId}', {
    path: { fileId: entry.id },
    drive: entry.driveId,
  });
  return <PdfContent address={address} file={entry} query={query} fallback={fallback} />;
}

/** Whether a PDF of that size in bytes can be shown. */
export function canShowPdf(size: number): boolean {
  return size <= MAX_BYTES;
}

interface PdfContentProps {
  readonly address: string;
  readonly file: Pick<EntryRecord, 'filename' | 'size'>;
  /** Opens the PDF where these words are. */
  readonly query?: string;
  readonly fallback: (reason: PdfFault | 'tooLarge') => ReactNode;
}

export function PdfContent({ address, file, query = '', fallback }: PdfContentProps) {
  const { t } = useTranslation();
  if (!canShowPdf(file.size)) return fallback('tooLarge');
  const loader = <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  return (
    <Suspense fallback={loader}>
      <PdfViewer
        source={{ address, size: file.size }}
        title={file.filename}
        query={query}
        fallback={fallback}
      />
    </Suspense>
  );
}
