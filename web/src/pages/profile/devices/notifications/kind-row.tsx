import { Switch, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NotificationSetting } from '../../../../../../client/src/client.ts';
import type { NotificationKind } from '../../../../features/notifications/notification.ts';
import classes from './notifications-section.module.css';

interface KindRowProps {
  readonly kind: NotificationKind;
  readonly setting: NotificationSetting;
  /** Whether the server sends no mail. */
  readonly isMailOff: boolean;
  readonly onChange: (setting: { readonly app: boolean; readonly mail: boolean }) => void;
}

/** The settings of one kind of notification. */
export function KindRow({ kind, setting, isMailOff, onChange }: KindRowProps) {
  const { t } = useTranslation();
  const { app, mail, isMailFixed } = setting;
  const name = t(`notifications.kinds.${kind}`);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td>
        <Switch
          className={classes.switch}
          aria-label={t('notifications.inAppOf', { kind: name })}
          checked={app}
          onChange={(event) => onChange({ app: event.currentTarget.checked, mail })}
        />
      </Table.Td>
      <Table.Td>
        {isMailFixed ? (
          <Text size="sm" c="dimmed">
            {t('notifications.always')}
          </Text>
        ) : (
          <Switch
            className={classes.switch}
            aria-label={t('notifications.byMailOf', { kind: name })}
            checked={mail}
            disabled={isMailOff}
            onChange={(event) => onChange({ app, mail: event.currentTarget.checked })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
