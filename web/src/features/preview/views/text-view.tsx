import { Button, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';
import type { EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import classes from '../preview.module.css';
import { toText } from './text-bytes.ts';

/** The maximum that a page can show without a pause. */
const MOST_BYTES = 1_048_576;

interface TextViewProps {
  readonly entry: EntryRecord;
  /** Shown if it is not text. */
  readonly instead: ReactNode;
  readonly onSave: () => void;
}

/** Plain text: HTML in it is shown as source. */
export function TextView({ entry, instead, onSave }: TextViewProps) {
  const { t } = useTranslation();
  const isCut = entry.size > MOST_BYTES;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...KEYS.entry(entry.id), 'text'],
    queryFn: async ({ signal }) => ({ text: toText(await readStart(entry, signal), isCut) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Loader color="gray" className={classes.loader} aria-label={t('preview.loading')} />;
  if (error !== null) {
    return (
      <div className={classes.card}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.text === undefined) return instead;
  return (
    <div className={classes.paper}>
      {isCut && (
        <Text size="sm" className={classes.cut} component="div">
          {t('preview.cut', { shown: formatBytes(MOST_BYTES), all: formatBytes(entry.size) })}
          <Button size="compact-sm" variant="default" onClick={onSave}>
            {t('preview.download')}
          </Button>
        </Text>
      )}
      {/* What can be scrolled can be reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as said */}
      <section className={classes.text} tabIndex={0} aria-label={entry.filename}>
        <pre>{data.text === '' ? t('preview.emptyFile') : data.text}</pre>
      </section>
    </div>
  );
}

async function readStart({ id, size }: EntryRecord, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const range = size > MOST_BYTES ? { range: `bytes=0-${MOST_BYTES - 1}` } : undefined;
  const response = await fetchAnswer('GET', `/api/files/download/${id}`, {
    ...(range && { headers: range }),
    signal,
  });
  if (!response.ok) throw new ApiError(response.status, 'The file could not be read.');
  return new Uint8Array(await response.arrayBuffer());
}
