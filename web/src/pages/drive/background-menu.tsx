import { Menu } from '@mantine/core';
import {
  IconClipboard,
  IconFile,
  IconFileText,
  IconFolder,
  IconFolderPlus,
  IconMarkdown,
  IconSelectAll,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CAN_PICK_FOLDERS } from '../../common/folder-choice.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { PointMenu } from '../../features/entries/grid/pointer/point-menu.tsx';
import type { Point } from '../../features/entries/grid/state/use-entry-grid.ts';

interface BackgroundMenuProps {
  readonly at: Point | undefined;
  readonly canPaste: boolean;
  /** Undefined for an empty folder. */
  readonly onSelectAll: (() => void) | undefined;
  readonly onNewFolder: () => void;
  readonly onNewText: (kind: 'text' | 'markdown') => void;
  readonly onFiles: () => void;
  readonly onFolder: () => void;
  readonly onPaste: () => void;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

/** The menu of the space around the entries, with the actions for the folder itself. */
export function BackgroundMenu(props: BackgroundMenuProps) {
  const { at, canPaste, onSelectAll, onNewFolder, onNewText, onFiles, onFolder } = props;
  const { onPaste, onClose, onFocusBack } = props;
  const { t } = useTranslation();
  const canEdit = useDrive().can('EDIT');
  if (!canEdit && !canPaste && onSelectAll === undefined) return null;
  return (
    <PointMenu at={at} label={t('drive.background')} onClose={onClose} onFocusBack={onFocusBack}>
      {canEdit && (
        <>
          <Menu.Item leftSection={<IconFolderPlus size={18} aria-hidden />} onClick={onNewFolder}>
            {t('drive.newFolder')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileText size={18} aria-hidden />} onClick={() => onNewText('text')}>
            {t('drive.newText')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconMarkdown size={18} aria-hidden />}
            onClick={() => onNewText('markdown')}
          >
            {t('drive.newMarkdown')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFile size={18} aria-hidden />} onClick={onFiles}>
            {t('drive.uploadFiles')}
          </Menu.Item>
        </>
      )}
      {canEdit && CAN_PICK_FOLDERS && (
        <Menu.Item leftSection={<IconFolder size={18} aria-hidden />} onClick={onFolder}>
          {t('drive.uploadFolder')}
        </Menu.Item>
      )}
      {canPaste && (
        <Menu.Item leftSection={<IconClipboard size={18} aria-hidden />} onClick={onPaste}>
          {t('drive.paste')}
        </Menu.Item>
      )}
      {onSelectAll !== undefined && (
        <Menu.Item leftSection={<IconSelectAll size={18} aria-hidden />} onClick={onSelectAll}>
          {t('drive.selectAll')}
        </Menu.Item>
      )}
    </PointMenu>
  );
}
