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
import { useIsMailOn } from '../features/account/use-security.ts';
import { useVerificationMail } from '../features/account/use-verification-mail.tsx';

/** The id of the user who has closed the notice in this browser. */
const CLOSED_KEY = 'holdall.unverified-email-closed';

/** Asks users to verify their e-mail address, if the service sends mail. */
export function UnverifiedEmailNotice() {
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
  if (!isShown || data !== false) return null;
  return (
    <Notice
      email={email}
      onClose={() => {
        writeStored(CLOSED_KEY, String(id));
        setClosed(true);
      }}
    />
  );
}

function Notice({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { send, isPending, dialog } = useVerificationMail(email);
  return (
    <Alert
      color="blue"
      role="status"
      py="xs"
      mb="md"
      icon={<IconMail aria-hidden />}
      withCloseButton
      closeButtonLabel={t('common.close')}
      attributes={{ closeButton: { title: t('common.close') } }}
      styles={{ closeButton: { width: 24, height: 24 } }}
      onClose={onClose}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 280px" style={{ overflowWrap: 'anywhere' }}>
          {t('mail.unverifiedNotice', { email })}
        </Text>
        <Button variant="default" size="xs" mih="var(--tap-size)" loading={isPending} onClick={send}>
          {t('mail.sendVerification')}
        </Button>
        {dialog}
      </Group>
    </Alert>
  );
}
