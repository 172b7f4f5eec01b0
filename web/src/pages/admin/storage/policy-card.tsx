import { Badge, Button, Group, Paper, Switch, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import classes from '../admin.module.css';
import { Mark } from '../pieces/mark.tsx';
import { useAct } from '../pieces/use-act.ts';
import { STORES } from './policy-draft.ts';

export function PolicyCard({ policy, onEdit }: { policy: AdminPolicy; onEdit: () => void }) {
  const { t } = useTranslation();
  const { id, name, type, enabled, defaultPolicy, capabilities } = policy;
  const change = useAct(
    (next: boolean) =>
      ask('PATCH /api/admin/storage-policies/{policyId}/status', {
        path: { policyId: id },
        body: { enabled: next },
      }),
    (_, next) => notify(t(next ? 'admin.policies.nowEnabled' : 'admin.policies.nowDisabled', { name })),
  );
  // The smaller limit applies.
  const largest = Math.min(policy.maxSizeBytes, capabilities.maxObjectSize);
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5" className={classes.anywhere}>
              {name}
            </Title>
            {defaultPolicy && <Mark tone="busy" text={t('admin.policies.default')} />}
            {!enabled && <Mark tone="plain" text={t('admin.policies.disabled')} />}
          </Group>
          <Text size="sm" c="dimmed" className={classes.anywhere}>
            {placeOf(policy, t(`admin.policies.types.${type}`))}
          </Text>
        </div>
        <Button
          variant="default"
          flex="none"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={onEdit}
          aria-label={t('admin.policies.edit', { name })}
        >
          {t('admin.edit')}
        </Button>
      </Group>
      <Text size="sm" mt="sm">
        {t('admin.policies.upTo', { size: formatBytes(largest) })}
      </Text>
      <Group
        gap={4}
        mt="xs"
        component="ul"
        className={classes.cards}
        aria-label={t('admin.policies.abilities')}
      >
        {STORES[type].abilities
          .filter((ability) => capabilities[ability])
          .map((ability) => (
            <Badge key={ability} component="li" variant="default" className={classes.mark}>
              {t(`admin.policies.can.${ability}`)}
            </Badge>
          ))}
      </Group>
      <Switch
        mt="md"
        label={t('admin.policies.enabled')}
        description={t(defaultPolicy ? 'admin.policies.defaultStays' : 'admin.policies.enabledHint')}
        // Shows the new state while the request is running.
        checked={change.isPending ? change.variables : enabled}
        disabled={defaultPolicy}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </Paper>
  );
}

function placeOf({ bucketName, endpoint, prefix }: AdminPolicy, type: string): string {
  return [type, endpoint, bucketName, prefix].filter(Boolean).join(' · ');
}
