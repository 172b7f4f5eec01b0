import { Button, Loader } from '@mantine/core';
import { IconChevronRight, IconFolderFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { toDirectory } from '../../../common/names/drive-paths.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { FOLDER_COLOR } from '../entry-icon.tsx';
import { useDropTarget } from '../grid/pointer/use-entry-drag.ts';
import { useFolders } from '../use-folders.ts';
import styles from './folder-tree.module.css';
import type { OpenFolders } from './open-folders.ts';

interface FolderTreeProps {
  readonly drive: DriveId;
  /** The directory whose folders are listed. */
  readonly path: string;
  /** 1 for the folders of the root. */
  readonly depth?: number;
  readonly open: OpenFolders;
  /** The shown directory. */
  readonly current: string | undefined;
  /** Called when the user has chosen a folder. */
  readonly onChosen: () => void;
}

/**
 * The folders of a directory and, below each open folder, its folders. Files and entries can be dropped on
 * each of them.
 */
export function FolderTree({ drive, path, depth = 1, open, current, onChosen }: FolderTreeProps) {
  const { t } = useTranslation();
  const { folders, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useFolders(drive, path);
  if (isPending) return <Loader size="xs" mx={depth * 20} my={6} aria-label={t('preview.loading')} />;
  // If a folder cannot be read, its own page shows why.
  if (folders === undefined || folders.length === 0) return null;
  return (
    <ul className={styles.folders} style={withVariable('--depth', depth)}>
      {folders.map((folder) => (
        <li key={folder.id}>
          <FolderLine {...{ drive, folder, open, onChosen }} isCurrent={folder.path === current} />
          {open.isOpen(folder.path) && (
            <FolderTree path={folder.path} depth={depth + 1} {...{ drive, open, current, onChosen }} />
          )}
        </li>
      ))}
      {hasNextPage && (
        <li>
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('drive.moreFolders')}
          </Button>
        </li>
      )}
    </ul>
  );
}

interface FolderLineProps {
  readonly drive: DriveId;
  readonly folder: EntryRecord;
  readonly open: OpenFolders;
  readonly isCurrent: boolean;
  readonly onChosen: () => void;
}

function FolderLine({ drive, folder, open, isCurrent, onChosen }: FolderLineProps) {
  const { path, filename } = folder;
  const { t } = useTranslation();
  const isOpen = open.isOpen(path);
  const target = useDropTarget({ drive, directory: path });
  const { folders } = useFolders(drive, path, isOpen);
  // Whether a folder has subfolders is known only once it has been opened.
  const isLeaf = isOpen && folders?.length === 0;
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const link = useRef<HTMLAnchorElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isLeaf && document.activeElement === toggle.current) link.current?.focus();
  }, [isLeaf]);
  return (
    <div ref={line} className={styles.line} data-current={isCurrent || undefined} {...target}>
      <IconButton
        ref={toggle}
        className={styles.toggle}
        data-leaf={isLeaf || undefined}
        variant="subtle"
        color="gray"
        size={32}
        aria-expanded={isOpen}
        label={t('nav.foldersOf', { name: filename })}
        onClick={() => open.toggle(path)}
      >
        <IconChevronRight size={16} aria-hidden className={styles.chevron} data-open={isOpen || undefined} />
      </IconButton>
      <Link
        ref={link}
        {...toDirectory(path, { drive })}
        className={styles.link}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onChosen}
      >
        <IconFolderFilled size={18} color={FOLDER_COLOR} aria-hidden />
        <span className={styles.name}>{filename}</span>
      </Link>
    </div>
  );
}
