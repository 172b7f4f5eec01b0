import { Drawer, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { EntryDetails, EntryRecord } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import classes from './details.module.css';
import { Facts } from './facts.tsx';
import { Versions } from './versions.tsx';

/** The checksum is computed soon after the upload. */
const CHECKSUM_MS = 4_000;

/** The details of a file or folder: size, times, metadata, checksum. A drawer beside the page. */
export function DetailsPanel({
  entry,
  onClose,
}: {
  readonly entry: EntryRecord;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.entry(entry.id),
    queryFn: ({ signal }) => ask<EntryDetails>('GET', `/api/v2/files/${entry.id}`, { signal }),
    refetchInterval: ({ state: { data: seen } }) =>
      seen !== undefined && !seen.directory && seen.sha256 === null ? CHECKSUM_MS : false,
  });
  // Data that the page already has is shown at once.
  const { filename } = data ?? entry;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={400}
      // Above the preview, from which it may have been opened.
      zIndex={400}
      title={t('details.title')}
      closeButtonProps={{ 'aria-label': t('common.close'), size: 40 }}
    >
      <Stack gap="lg">
        <Title order={3} size="h4" className={classes.name}>
          {filename}
        </Title>
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        <Facts entry={data ?? entry} details={data} onLeave={onClose} />
        {!entry.directory && <Versions file={data ?? entry} />}
      </Stack>
    </Drawer>
  );
}
