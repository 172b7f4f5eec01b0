import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveId } from '../../api/in-drive.ts';
import { ROOT } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useDriveId } from '../../features/drives/use-drive.ts';
import { useOpenFolders } from '../../features/entries/folder-tree/open-folders.ts';
import { useDropTarget } from '../../features/entries/grid/pointer/use-entry-drag.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import classes from './navigation.module.css';

const FolderTree = lazyPart(
  async () => (await import('../../features/entries/folder-tree/folder-tree.tsx')).FolderTree,
);

interface DriveFoldersProps {
  readonly drive: DriveId;
  /** The name of a shared drive. */
  readonly name?: string;
  readonly link: ReactNode;
  readonly onChosen: () => void;
}

/** The link to a drive, with a button that shows the tree of its folders. */
export function DriveFolders({ drive, name, link, onChosen }: DriveFoldersProps) {
  const { t } = useTranslation();
  const { _splat: splat } = useParams({ strict: false });
  const isShownDrive = useDriveId() === drive;
  const current = splat === undefined || !isShownDrive ? undefined : `/${splat}`;
  const target = useDropTarget({ drive, directory: ROOT });
  const open = useOpenFolders(drive, current);
  const isOpen = open.isOpen(ROOT);
  return (
    <div className={classes.drive}>
      <div className={classes.drop} {...target}>
        {link}
      </div>
      <IconButton
        className={classes.unfold}
        variant="subtle"
        color="gray"
        size={36}
        aria-expanded={isOpen}
        label={name === undefined ? t('nav.folders') : t('nav.foldersOf', { name })}
        onClick={() => open.toggle(ROOT)}
      >
        {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
      </IconButton>
      {isOpen && (
        <Suspense>
          <FolderTree path={ROOT} {...{ drive, open, current, onChosen }} />
        </Suspense>
      )}
    </div>
  );
}
