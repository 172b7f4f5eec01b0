import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NoWayNotice } from '../progress/no-way-notice.tsx';

interface StuckReceiverProps {
  /** Whether the sender is logged in, and can store the files. */
  readonly hasAccount: boolean;
  readonly hasRelay: boolean;
}

/**
 * Explains what the receiver can do when there is no direct connection. The page continues by itself once
 * there is one.
 */
export function StuckReceiver({ hasAccount, hasRelay }: StuckReceiverProps) {
  const { t } = useTranslation();
  if (!hasAccount) return <NoWayNotice hasRelay={hasRelay} firstStep={t('transfer.doSenderLogsIn')} />;
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
      {t('transfer.stuckReceiver')}
    </Alert>
  );
}
