import { Alert, List, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface NoWayNoticeProps {
  /** Whether the service has a relay. If so, the connection over the relay has failed as well. */
  readonly hasRelay: boolean;
  /** A sentence about what this user can do first. */
  readonly firstStep: string;
}

/** Explains what both users can do when there is no direct connection and the files cannot be stored. */
export function NoWayNotice({ hasRelay, firstStep }: NoWayNoticeProps) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
      <Text fw={600} mb="xs">
        {t(hasRelay ? 'transfer.noWayWithRelay' : 'transfer.noWay')}
      </Text>
      <Text size="sm">{t('transfer.whatToDo')}</Text>
      <List size="sm">
        <List.Item>{firstStep}</List.Item>
        <List.Item>{t('transfer.doSameNetwork')}</List.Item>
        <List.Item>{t(hasRelay ? 'transfer.doAskAboutRelay' : 'transfer.doAskForRelay')}</List.Item>
      </List>
    </Alert>
  );
}
