import { Menu } from '@mantine/core';
import {
  IconBan,
  IconFiles,
  IconGauge,
  IconHistory,
  IconKey,
  IconPassword,
  IconShare,
  IconShieldOff,
  IconUserCheck,
  IconUserShield,
  IconUserX,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { useUser } from '../../../api/use-session.ts';
import classes from '../admin.module.css';
import { ListItem, RowMenu } from '../pieces/row-menu.tsx';
import type { UserAct } from './dialogs/user-dialog.tsx';
import { rightsOver } from './user-rules.ts';

/** The actions on a user that the caller may perform, and links to the user's lists. */
export function UserMenu({ user, onAct }: { user: AdminUser; onAct: (act: UserAct) => void }) {
  const { t } = useTranslation();
  const rights = rightsOver(useUser(), user);
  const hasFactors = user.totp || user.passkeys > 0;
  const act = (name: UserAct, Icon: typeof IconKey, isGrave = false) => (
    <Menu.Item
      key={name}
      className={isGrave ? classes.danger : undefined}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => onAct(name)}
    >
      {t(`admin.users.acts.${name}`)}
    </Menu.Item>
  );
  return (
    <RowMenu name={user.username}>
      {rights.role && act('role', IconUserShield)}
      {rights.limits && act('limits', IconGauge)}
      {rights.password && act('password', IconKey)}
      {rights.password && act('reset', IconPassword)}
      {rights.password && hasFactors && act('secondFactors', IconShieldOff)}
      {rights.status && (user.banned ? act('unban', IconUserCheck) : act('ban', IconBan, true))}
      {rights.deletion && act('delete', IconUserX, true)}
      {rights.limits && <Menu.Divider />}
      <ListItem
        part="files"
        search={{ ownerQuery: user.username }}
        Icon={IconFiles}
        text={t('admin.users.theirFiles')}
      />
      <ListItem
        part="shares"
        search={{ userQuery: user.username }}
        Icon={IconShare}
        text={t('admin.users.theirShares')}
      />
      <ListItem
        part="audits"
        search={{ targetType: 'USER', targetId: String(user.id) }}
        Icon={IconHistory}
        text={t('admin.users.theirAudits')}
      />
    </RowMenu>
  );
}
