import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { AdminPolicy, AdminTask, Page } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { isLive } from '../pieces/task-status.tsx';
import { MigrationCard } from './migration-card.tsx';
import { MigrationForm } from './migration-form.tsx';

/** The service says how far it is about once a second. */
const LIVE_MS = 1_000;
const SHOWN = 5;

/** Moves objects from one policy to another, and shows how far that is, whoever ordered it. */
export function Migrations({ policies }: { policies: readonly AdminPolicy[] }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: [...KEYS.admin('tasks'), 'migrations'],
    queryFn: ({ signal }) =>
      ask<Page<AdminTask>>('GET', '/api/admin/tasks', {
        query: { type: 'STORAGE_POLICY_MIGRATION', size: SHOWN },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? LIVE_MS : false),
  });
  return (
    <Stack component="section" aria-label={t('admin.migration.title')} mt="md">
      <div>
        <Title order={2} size="h4">
          {t('admin.migration.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('admin.migration.hint')}
        </Text>
      </div>
      <MigrationForm policies={policies} />
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data?.items.map((task) => (
        <MigrationCard key={task.id} task={task} policies={policies} />
      ))}
    </Stack>
  );
}
