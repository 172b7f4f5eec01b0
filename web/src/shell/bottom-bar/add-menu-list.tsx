import { Menu } from '@mantine/core';
import { IconFile, IconFileText, IconFolder, IconFolderPlus, type TablerIcon } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CAN_PICK_FOLDERS } from '../../common/folder-choice.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { type FolderActions, useFolderActions } from '../../features/drive/folder-actions.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { OpenedMenu } from '../../ui/menus/opened-menu.tsx';

/** What can be added to the shown folder. */
export function AddMenuList({ target }: { readonly target: ReactElement<object> }) {
  return (
    // Placed next to its button in the document order, for screen readers.
    <OpenedMenu
      target={target}
      position="top"
      width={240}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <AddItems />
    </OpenedMenu>
  );
}

/** Opens the user's files first if nothing can be added to what the page shows. */
function AddItems() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id, can } = useDrive();
  const actions = useFolderActions();
  const onOpen = useEffectEvent(() => {
    if (actions === undefined) void navigate(toDirectory(ROOT, { drive: can('EDIT') ? id : undefined }));
  });
  useEffect(() => onOpen(), []);
  const toItem = (label: string, Icon: TablerIcon, act: (folder: FolderActions) => void) => (
    <Menu.Item
      mih="var(--tap-size)"
      leftSection={<Icon size={18} aria-hidden />}
      disabled={actions === undefined}
      onClick={() => actions && act(actions())}
    >
      {label}
    </Menu.Item>
  );
  return (
    <>
      {toItem(t('drive.uploadFiles'), IconFile, ({ pickFiles }) => pickFiles())}
      {CAN_PICK_FOLDERS && toItem(t('drive.uploadFolder'), IconFolder, ({ pickFolder }) => pickFolder())}
      {toItem(t('drive.newFolder'), IconFolderPlus, ({ newFolder }) => newFolder())}
      {toItem(t('drive.newText'), IconFileText, ({ newText }) => newText())}
    </>
  );
}
