import { Button, NativeSelect, Paper, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy, MigrationBody } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { useAct } from '../pieces/use-act.ts';

/** Starts a migration. Offers only stores of the kind that the service runs on, and enabled targets. */
export function MigrationForm({ policies }: { policies: readonly AdminPolicy[] }) {
  const { t } = useTranslation();
  const active = policies.find((policy) => policy.defaultPolicy)?.type;
  const fitting = policies.filter(({ type }) => type === active);
  const [source, setSource] = useState('');
  const [target, setTarget] = useState('');
  const start = useAct(
    (body: MigrationBody) => ask('POST /api/admin/storage-policies/migrations', { body }),
    () => {
      setSource('');
      setTarget('');
      notify(t('admin.migration.started'));
    },
  );
  const choose = { value: '', label: t('admin.migration.choose') };
  const optionsOf = (some: readonly AdminPolicy[]) => [
    choose,
    ...some.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  if (fitting.length < 2) {
    return <Text size="sm">{t('admin.migration.needsTwo')}</Text>;
  }
  const submit = () => {
    start.mutate({ sourcePolicyId: Number(source), targetPolicyId: Number(target) });
  };
  return (
    <Paper withBorder p="md">
      <SavedForm isSaving={start.isPending} onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" style={{ alignItems: 'end' }}>
          <NativeSelect
            label={t('admin.migration.source')}
            value={source}
            data={optionsOf(fitting)}
            onChange={(event) => {
              setSource(event.currentTarget.value);
              if (event.currentTarget.value === target) setTarget('');
            }}
          />
          <NativeSelect
            label={t('admin.migration.target')}
            value={target}
            data={optionsOf(fitting.filter(({ id, enabled }) => enabled && String(id) !== source))}
            onChange={(event) => setTarget(event.currentTarget.value)}
          />
          <Button type="submit" loading={start.isPending} disabled={source === '' || target === ''}>
            {t('admin.migration.start')}
          </Button>
        </SimpleGrid>
      </SavedForm>
    </Paper>
  );
}
