import { Alert, Button, Group, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { updateUser } from '../api/session.ts';
import { readStored, writeStored } from '../api/stored.ts';
import { useUser } from '../api/use-session.ts';
import { useIsMailOn, useVerificationMail } from '../features/account/use-security.ts';

/** The id of the user who has closed the notice in this browser. */
const CLOSED_KEY = 'holdall.unverified-email-closed';

/** Asks users to verify their e-mail address, if the service sends mail. */
export function UnverifiedEmailNotice() {
  const { t } = useTranslation();
  const { id, email, emailVerified } = useUser();
  const [isClosed, setClosed] = useState(() => readStored(CLOSED_KEY) === String(id));
  const isMailOn = useIsMailOn();
  const isShown = isMailOn && email !== null && !emailVerified && !isClosed;
  const { data } = useQuery({
    queryKey: KEYS.emailVerified(),
    // The address may have been verified on another device since the login.
    queryFn: async ({ signal }) => {
      const user = await ask('GET /api/user/profile', { signal });
      updateUser(user);
      return user.emailVerified;
    },
    enabled: isShown,
  });
  const send = useVerificationMail(email ?? '');
  if (!isShown || data !== false) return null;
  return (
    <Alert
      color="blue"
      py="xs"
      mb="md"
      icon={<IconMail aria-hidden />}
      withCloseButton
      closeButtonLabel={t('common.close')}
      attributes={{ closeButton: { title: t('common.close') } }}
      styles={{ closeButton: { width: 24, height: 24 } }}
      onClose={() => {
        writeStored(CLOSED_KEY, String(id));
        setClosed(true);
      }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 280px" style={{ overflowWrap: 'anywhere' }}>
          {t('mail.unverifiedNotice', { email })}
        </Text>
        <Button
          variant="default"
          size="xs"
          mih="var(--tap-size)"
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {t('mail.sendVerification')}
        </Button>
      </Group>
    </Alert>
  );
}
