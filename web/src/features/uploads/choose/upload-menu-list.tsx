import { Menu } from '@mantine/core';
import { IconFile, IconFileText, IconFolder, IconMarkdown, IconRefresh } from '@tabler/icons-react';
import { type ReactElement, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CAN_PICK_FOLDERS } from '../../../common/folder-choice.ts';
import { OpenedMenu } from '../../../ui/menus/opened-menu.tsx';
import { uploads } from '../uploads.ts';

interface UploadMenuListProps {
  readonly target: ReactElement<object>;
  readonly onFiles: () => void;
  readonly onFolder: () => void;
  /** Undefined if no file can be created here. */
  readonly onNewText: ((kind: 'text' | 'markdown') => void) | undefined;
}

/** The kinds of upload, a new text file, and interrupted uploads that the user has postponed. */
export function UploadMenuList({ target, onFiles, onFolder, onNewText }: UploadMenuListProps) {
  const { t } = useTranslation();
  const { postponedCount } = useSyncExternalStore(uploads.subscribe, uploads.view);
  return (
    // Placed next to its button in the document order, for screen readers.
    <OpenedMenu
      target={target}
      position="bottom-end"
      width={postponedCount > 0 ? 260 : 200}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
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
      {onNewText !== undefined && (
        <>
          <Menu.Item
            mih="var(--tap-size)"
            leftSection={<IconFileText size={18} aria-hidden />}
            onClick={() => onNewText('text')}
          >
            {t('drive.newText')}
          </Menu.Item>
          <Menu.Item
            mih="var(--tap-size)"
            leftSection={<IconMarkdown size={18} aria-hidden />}
            onClick={() => onNewText('markdown')}
          >
            {t('drive.newMarkdown')}
          </Menu.Item>
        </>
      )}
      {postponedCount > 0 && (
        <Menu.Item
          mih="var(--tap-size)"
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => uploads.showPostponed()}
        >
          {t('uploads.interrupted', { count: postponedCount })}
        </Menu.Item>
      )}
    </OpenedMenu>
  );
}
