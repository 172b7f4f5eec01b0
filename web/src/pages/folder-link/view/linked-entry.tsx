import { Checkbox } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pages } from '../../../features/entries/use-pages.ts';
import { useLinkedDownload } from '../../../features/shares/folder-links/download-linked.ts';
import type { NumberedEntry } from '../../../features/shares/folder-links/use-folder-link.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import styles from '../folder-link.module.css';

// What the rows and the pictures of a directory have in common.

export interface LinkedEntriesProps {
  readonly token: string;
  readonly entries: Pages<NumberedEntry>;
  /** The paths of the selected entries. */
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (path: string) => void;
  readonly onShow: (entry: NumberedEntry) => void;
}

export interface LinkedEntryProps {
  readonly entry: NumberedEntry;
  readonly token: string;
}

interface OpenProps extends LinkedEntryProps {
  readonly onShow: () => void;
  /** The picture of the entry. */
  readonly children: ReactNode;
}

/** The picture and name of an entry. A click opens the directory or shows the file. */
export function OpenEntry({ entry, onShow, children }: Omit<OpenProps, 'token'>) {
  const content = (
    <>
      <span className={styles.picture}>{children}</span>
      <span className={styles.name} title={entry.name}>
        {entry.name}
      </span>
    </>
  );
  if (entry.directory) {
    return (
      <Link from="/f/$token" to="/f/$token" search={{ path: entry.path }} className={styles.open}>
        {content}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.open} onClick={onShow}>
      {content}
    </button>
  );
}

interface TickProps {
  readonly name: string;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

export function EntryTick({ name, isSelected, onToggle }: TickProps) {
  const { t } = useTranslation();
  return (
    // The label enlarges the touch area.
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in it
    <label className={styles.tick}>
      <Checkbox aria-label={t('folderLinks.selectOf', { name })} checked={isSelected} onChange={onToggle} />
    </label>
  );
}

export function DownloadEntry({ entry, token }: LinkedEntryProps) {
  const { t } = useTranslation();
  const download = useLinkedDownload(token);
  return (
    <IconButton
      variant="subtle"
      color="gray"
      size={40}
      label={t('folderLinks.downloadOf', { name: entry.name })}
      onClick={() => void download([entry.path])}
    >
      <IconDownload size={18} aria-hidden />
    </IconButton>
  );
}
