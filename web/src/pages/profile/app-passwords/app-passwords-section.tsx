import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewAppPassword } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { AppPasswordForm } from './app-password-form.tsx';
import { AppPasswordList } from './app-password-list.tsx';
import { CreatedDialog } from './created-dialog.tsx';

/** The passwords of programs that use the drive in the user's name. */
export function AppPasswordsSection() {
  const { t } = useTranslation();
  const [created, setCreated] = useState<NewAppPassword>();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.appPasswords(),
    queryFn: ({ signal }) => ask('GET /api/user/app-passwords', { signal }),
  });
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={560}>
        {t('profile.appPasswordsHint')}{' '}
        <Anchor component={Link} to="/connect" underline="always" inherit>
          {t('profile.howToConnect')}
        </Anchor>
      </Text>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && <AppPasswordList appPasswords={data} />}
      <AppPasswordForm onCreated={setCreated} />
      {created !== undefined && <CreatedDialog appPassword={created} onClose={() => setCreated(undefined)} />}
    </Stack>
  );
}
