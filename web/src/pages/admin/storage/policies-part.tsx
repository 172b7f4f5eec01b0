import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { isLive } from '../pieces/task-status.tsx';
import { usePolicies } from '../pieces/use-policies.ts';
import { MigrationCard } from './migration-card.tsx';
import { MigrationForm } from './migration-form.tsx';
import { PolicyCard } from './policy-card.tsx';
import { PolicyDialog } from './policy-dialog.tsx';

/** The storage policies and the migrations between them. */
export function PoliciesPart() {
  const { t } = useTranslation();
  const { data: policies, error, refetch } = usePolicies();
  const [open, setOpen] = useState<AdminPolicy | 'new'>();
  if (policies === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('admin.policies.title')}
        </Title>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          {t('admin.policies.add')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {policies.map((policy) => (
          <PolicyCard key={policy.id} policy={policy} onEdit={() => setOpen(policy)} />
        ))}
      </SimpleGrid>
      <Migrations policies={policies} />
      {open !== undefined && (
        <PolicyDialog policy={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </Stack>
  );
}

/** The service updates the progress about once a second. */
const LIVE_MS = 1_000;
const SHOWN = 5;

/** Starts migrations and shows the progress of all of them. */
function Migrations({ policies }: { policies: readonly AdminPolicy[] }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryOf([...KEYS.admin('tasks'), 'migrations'], 'GET /api/admin/tasks', {
      query: { type: 'STORAGE_POLICY_MIGRATION', size: SHOWN },
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
