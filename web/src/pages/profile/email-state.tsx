import { Button, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsMailOn, useVerificationMail } from '../../features/account/use-security.ts';

interface EmailStateProps {
  /** The saved address. */
  readonly email: string;
  readonly isVerified: boolean;
}

/** Whether the e-mail address is verified, and a button for another mail if it is not. */
export function EmailState({ email, isVerified }: EmailStateProps) {
  const { t } = useTranslation();
  const isMailOn = useIsMailOn();
  const send = useVerificationMail(email);
  if (isVerified) {
    return (
      <Group gap="xs" wrap="nowrap">
        <IconCircleCheck size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('mail.isVerified', { email })}
        </Text>
      </Group>
    );
  }
  // Without mail, nobody can verify an address.
  if (!isMailOn) return null;
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" flex="1 1 240px" style={{ overflowWrap: 'anywhere' }}>
        {t('mail.isUnverified', { email })}
      </Text>
      <Button variant="default" mih="var(--tap-size)" loading={send.isPending} onClick={() => send.mutate()}>
        {t('mail.sendVerification')}
      </Button>
    </Group>
  );
}
