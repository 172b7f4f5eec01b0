import { Menu } from '@mantine/core';
import {
  IconFiles,
  IconGauge,
  IconHistory,
  IconRestore,
  IconShare,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AdminDrive } from '../../../../../client/src/client.ts';
import classes from '../admin.module.css';
import { ListItem, RowMenu } from '../pieces/row-menu.tsx';
import type { DriveAct } from './dialogs/drive-dialog.tsx';
import { nameOf } from './drive-dialog-props.ts';

/** The actions on a drive, and links to lists of what is in it. */
export function DriveMenu({ drive, onAct }: { drive: AdminDrive; onAct: (act: DriveAct) => void }) {
  const { t } = useTranslation();
  const name = nameOf(drive);
  const isShared = drive.kind === 'SHARED';
  const act = (key: Exclude<DriveAct, 'details'>, Icon: typeof IconTrash, isGrave = false) => (
    <Menu.Item
      className={isGrave ? classes.danger : undefined}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => onAct(key)}
    >
      {t(`admin.drives.acts.${key}`)}
    </Menu.Item>
  );
  return (
    <RowMenu name={name}>
      {isShared && act('members', IconUsers)}
      {act('limits', IconGauge)}
      {isShared && (drive.deletedAt === null ? act('delete', IconTrash, true) : act('restore', IconRestore))}
      <Menu.Divider />
      <ListItem
        part="files"
        search={{ ownerQuery: name }}
        Icon={IconFiles}
        text={t('admin.drives.theirFiles')}
      />
      <ListItem
        part="shares"
        search={{ userQuery: name }}
        Icon={IconShare}
        text={t('admin.drives.theirShares')}
      />
      <ListItem
        part="audits"
        search={{ targetType: 'DRIVE', targetId: String(drive.id) }}
        Icon={IconHistory}
        text={t('admin.drives.theirAudits')}
      />
    </RowMenu>
  );
}
