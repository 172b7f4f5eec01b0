import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppPasswordBody, NewAppPassword } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { UnsavedQuestion } from '../unsaved-question.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = ['never', '30', '90', '365'] as const;
type Lifetime = (typeof LIFETIMES)[number];
const SCOPES = ['WRITE', 'READ'] as const;
const MAX_NAME_LENGTH = 64;

/** Creates an app password. */
export function AppPasswordForm({ onCreated }: { readonly onCreated: (made: NewAppPassword) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<AppPasswordBody['scope']>('WRITE');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const body: AppPasswordBody = { name, scope, expiresAt: toExpiry(lifetime) };
      return ask('POST /api/user/app-passwords', { body });
    },
    onSuccess: (made) => {
      setName('');
      setTried(false);
      onCreated(made);
    },
    onError: notifyError,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.appPasswords() });
      void queries.invalidateQueries({ queryKey: KEYS.securityChanges() });
    },
  });
  const submit = () => {
    setTried(true);
    if (name.trim() !== '') create.mutate();
  };
  return (
    <SavedForm isSaving={create.isPending} onSubmit={submit} noValidate>
      <UnsavedQuestion isChanged={name !== ''} />
      <Stack maw={400}>
        <TextInput
          size="md"
          label={t('profile.appPasswordName')}
          description={t('profile.appPasswordNameHint')}
          maxLength={MAX_NAME_LENGTH}
          value={name}
          error={isTried && name.trim() === '' && t('auth.faultMissing')}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <NativeSelect
          size="md"
          label={t('profile.scope')}
          value={scope}
          data={SCOPES.map((value) => ({ value, label: t(`profile.scopes.${value}`) }))}
          onChange={({ currentTarget: { value } }) => setScope(value === 'READ' ? 'READ' : 'WRITE')}
        />
        <NativeSelect
          size="md"
          label={t('profile.lifetime')}
          value={lifetime}
          data={LIFETIMES.map((value) => ({ value, label: t(`profile.lifetimes.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            setLifetime(LIFETIMES.find((one) => one === value) ?? 'never')
          }
        />
        <Group justify="flex-end">
          <Button type="submit" mih="var(--tap-size)" loading={create.isPending}>
            {t('profile.createAppPassword')}
          </Button>
        </Group>
      </Stack>
    </SavedForm>
  );
}

function toExpiry(lifetime: Lifetime): string | null {
  return lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
}
