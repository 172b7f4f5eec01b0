import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { Summary } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { ActiveUsers } from './active-users.tsx';
import { InviteCodeCard } from './invite-code.tsx';
import { NumberCard } from './number-card.tsx';
import { OfflineStorage } from './offline-storage.tsx';
import { RequestsToday } from './requests-today.tsx';

const REFRESH_MS = 30_000;

/** How much there is in the service, how it is used, and who may come in. */
export function SummaryPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.admin('summary'),
    queryFn: ({ signal }) => ask<Summary>('GET', '/api/admin/summary', { signal }),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', md: 'md' }}>
        <NumberCard label={t('admin.summary.users')} value={formatNumber(data.totalUsers)} part="users" />
        <NumberCard label={t('admin.summary.files')} value={formatNumber(data.totalFiles)} part="files" />
        <NumberCard
          label={t('admin.summary.stored')}
          value={formatBytes(data.totalStorageBytes)}
          part="blobs"
        />
        <NumberCard label={t('admin.summary.requests')} value={formatNumber(data.requestCount)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <RequestsToday summary={data} />
        <ActiveUsers summary={data} />
        <InviteCodeCard code={data.inviteCode} />
        <OfflineStorage summary={data} />
      </SimpleGrid>
    </Stack>
  );
}
