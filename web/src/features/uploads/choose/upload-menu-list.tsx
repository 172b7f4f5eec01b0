import { Menu } from '@mantine/core';
import { IconFile, IconFolder } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CAN_PICK_FOLDERS } from '../../../common/folder-choice.ts';
import { OpenedMenu } from '../../../ui/menus/opened-menu.tsx';

interface UploadMenuListProps {
  readonly target: ReactElement<object>;
  readonly onFiles: () => void;
  readonly onFolder: () => void;
}

/** The kinds of upload. */
export function UploadMenuList({ target, onFiles, onFolder }: UploadMenuListProps) {
  const { t } = useTranslation();
  return (
    <OpenedMenu target={target} position="bottom-end" width={200}>
      <Menu.Item mih="var(--tap-size)" leftSection={<IconFile size={18} aria-hidden />} onClick={onFiles}>
        {t('uploads.files')}
      </Menu.Item>
      {CAN_PICK_FOLDERS && (
        <Menu.Item
          mih="var(--tap-size)"
          leftSection={<IconFolder size={18} aria-hidden />}
          onClick={onFolder}
        >
          {t('uploads.folder')}
        </Menu.Item>
      )}
    </OpenedMenu>
  );
}
