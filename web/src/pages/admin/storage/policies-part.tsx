import { Button, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy } from '../../../api/contract.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { usePolicies } from '../pieces/use-policies.ts';
import { Migrations } from './migrations.tsx';
import { PolicyCard } from './policy-card.tsx';
import { PolicyDialog } from './policy-dialog.tsx';

/** Where objects lie, and how they come from one place to another. */
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
