import { Menu } from '@mantine/core';
import {
  IconDots,
  IconExternalLink,
  IconFolder,
  IconLinkOff,
  IconLinkPlus,
  IconPencil,
  IconQrcode,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { parentOf, ROOT, toDirectory } from '../../../common/names/drive-paths.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useDrive } from '../../drives/use-drive.ts';
import type { LinkTarget } from './link-target.ts';

interface LinkMenuProps {
  readonly name: string;
  readonly target: LinkTarget | undefined;
  /** The public page. */
  readonly address: string;
  readonly onShow: () => void;
  readonly onEdit: (() => void) | undefined;
  readonly onRevoke: () => void;
}

/** The actions of a link except copying it, in the same order for every kind of link. */
export function LinkMenu({ name, target, address, onShow, onEdit, onRevoke }: LinkMenuProps) {
  const { t } = useTranslation();
  const { id: drive, name: driveName, can } = useDrive();
  const canEdit = can('EDIT');
  const { path } = target ?? {};
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <IconButton variant="subtle" color="gray" size={40} label={t('shares.moreOf', { name })}>
          <IconDots size={20} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconQrcode size={16} aria-hidden />} onClick={onShow}>
          {t('shares.showLink')}
        </Menu.Item>
        {canEdit && onEdit !== undefined && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            {t('shares.edit')}
          </Menu.Item>
        )}
        {target !== undefined && path !== undefined && (
          <Menu.Item
            renderRoot={(props) => (
              <Link
                {...props}
                {...(target.directory
                  ? toDirectory(path, { drive })
                  : toDirectory(parentOf(path), { drive, select: target.id }))}
              />
            )}
            leftSection={<IconFolder size={16} aria-hidden />}
          >
            {driveName === undefined ? t('shares.openPlace') : t('shares.openIn', { name: driveName })}
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={address}
          target="_blank"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('shares.openPage')}
        </Menu.Item>
        {canEdit && target !== undefined && path !== undefined && path !== ROOT && (
          <Menu.Item
            renderRoot={(props) => <Link {...props} to="/shared" search={{ file: target.id, drive }} />}
            leftSection={<IconLinkPlus size={16} aria-hidden />}
          >
            {t('shares.another')}
          </Menu.Item>
        )}
        {canEdit && (
          <Menu.Item leftSection={<IconLinkOff size={16} aria-hidden />} onClick={onRevoke}>
            {t('shares.revoke')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
