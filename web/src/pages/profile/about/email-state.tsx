import { Button, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsMailOn, useSecurity } from '../../../features/account/use-security.ts';
import { useVerificationMail } from '../../../features/account/use-verification-mail.tsx';

interface EmailStateProps {
  /** The saved address. */
  readonly email: string;
  readonly isVerified: boolean;
}

/** Whether the e-mail address is verified, and a button for a mail if it is not. */
export function EmailState({ email, isVerified }: EmailStateProps) {
  const { t } = useTranslation();
  const isMailOn = useIsMailOn();
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
  // Without mail, no one can verify an address.
  return isMailOn ? <UnverifiedState email={email} /> : null;
}

function UnverifiedState({ email }: Pick<EmailStateProps, 'email'>) {
  const { t } = useTranslation();
  const { data: security } = useSecurity();
  const { send, isPending, dialog } = useVerificationMail(email);
  const text = security?.hasPassword === false ? 'mail.isUnverifiedPlain' : 'mail.isUnverified';
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" flex="1 1 240px" style={{ overflowWrap: 'anywhere' }}>
        {t(text, { email })}
      </Text>
      <Button variant="default" mih="var(--tap-size)" loading={isPending} onClick={send}>
        {t('mail.sendVerification')}
      </Button>
      {dialog}
    </Group>
  );
}
