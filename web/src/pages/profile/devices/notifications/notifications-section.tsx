import { Skeleton, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../api/ask.ts';
import { KEYS } from '../../../../api/keys.ts';
import { useUser } from '../../../../api/use-session.ts';
import { useAuthMethods } from '../../../../features/account/use-security.ts';
import { FailureNotice } from '../../../../ui/placeholders/failure-notice.tsx';
import { Hint } from '../../section.tsx';
import { KindRow } from './kind-row.tsx';
import { kindsFor } from './kinds.ts';
import classes from './notifications-section.module.css';
import { PushSwitch } from './push-switch.tsx';
import { useChangeSetting } from './use-change-setting.ts';

/** Which notifications the user gets, and where. Each change is saved at once. */
export function NotificationsSection() {
  const { t } = useTranslation();
  const { role } = useUser();
  const { data, error, refetch } = useQuery(
    queryOf(KEYS.notificationSettings(), 'GET /api/user/notification-settings'),
  );
  const change = useChangeSetting();
  const { isOff, why } = useMailState();
  if (error !== null && data === undefined)
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={280} />;
  return (
    <Stack gap="lg">
      <Table className={classes.table} verticalSpacing={4} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('notifications.kind')}</Table.Th>
            <Table.Th scope="col">{t('notifications.inApp')}</Table.Th>
            <Table.Th scope="col">{t('notifications.byMail')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kindsFor(role).map((kind) => (
            <KindRow
              key={kind}
              kind={kind}
              setting={data[kind]}
              isMailOff={isOff}
              onChange={(setting) => change({ kind, ...setting })}
            />
          ))}
        </Table.Tbody>
      </Table>
      {why !== undefined && <Hint>{t(why)}</Hint>}
      <PushSwitch />
    </Stack>
  );
}

/** Whether the server sends no mail at all, and the text that says why mail does not reach the user. */
function useMailState() {
  const { email, emailVerified } = useUser();
  const { data: methods } = useAuthMethods();
  if (methods === undefined) return { isOff: false, why: undefined } as const;
  // Nothing but mail can reset a password.
  if (!methods.passwordReset) return { isOff: true, why: 'notifications.mailOff' } as const;
  if (emailVerified) return { isOff: false, why: undefined } as const;
  return {
    isOff: false,
    why: email === null ? 'notifications.noEmail' : 'notifications.unverified',
  } as const;
}
