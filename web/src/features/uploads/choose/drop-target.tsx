import { Paper, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDriveName } from '../../drives/drive-names.ts';
import { useCanEdit, useDriveId } from '../../drives/use-drive.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { collectDrop } from '../files/collect-drop.ts';
import { readInput } from '../files/picked-files.ts';
import classes from './drop-target.module.css';
import { uploadsLater } from './uploads-later.ts';
import { useFileDrag } from './use-file-drag.ts';

interface DropTargetProps {
  readonly path: string;
  /** Whether the user may not upload here. The browser then does not open dropped files either. */
  readonly isOff?: boolean;
  readonly children: ReactNode;
}

/**
 * Uploads files and folders that are dropped or pasted anywhere on the page into the directory, or into the
 * directory that the element on which they are dropped names with `dropFolder`.
 */
export function DropTarget({ path, isOff = false, children }: DropTargetProps) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const canEdit = useCanEdit();
  const [over, setOver] = useState<DirectoryPlace>();
  const driveName = useDriveName(over?.drive);
  const toAllowed = (named: DirectoryPlace | undefined) => {
    if (named === undefined) return isOff ? undefined : { drive, directory: path };
    return canEdit(named.drive) ? named : undefined;
  };
  useFileDrag({
    onOver: (named) => setOver(toAllowed(named)),
    onEnd: () => setOver(undefined),
    onDrop: (named, transfer) => {
      const folder = toAllowed(named);
      if (folder === undefined) return;
      const drop = collectDrop(transfer);
      void uploadsLater.get().then(({ uploadDropped }) => uploadDropped(folder, drop));
    },
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = Array.from(event.clipboardData?.files ?? []);
      if (isOff || files.length === 0 || isTyping(event.target)) return;
      event.preventDefault();
      const picked = readInput(files.map(withOwnName));
      void uploadsLater.get().then(({ uploadPicked }) => uploadPicked({ drive, directory: path }, picked));
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [drive, path, isOff]);
  return (
    <>
      {children}
      {over !== undefined && (
        <div className={classes.overlay} aria-hidden>
          <Paper className={classes.label} shadow="lg" px="xl" py="md" radius="xl">
            <IconUpload size={22} />
            <Text fw={600}>{t('uploads.dropInto', { folder: nameOf(over.directory) ?? driveName })}</Text>
          </Paper>
        </div>
      )}
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(target.tagName))
  );
}

/** Names a pasted picture after the current time, because browsers give all of them the same name. */
function withOwnName(file: File): File {
  if (file.name !== 'image.png') return file;
  const time = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  const name = `image ${time.slice(0, 10)} ${time.slice(11, 19).replaceAll(':', '.')}.png`;
  return new File([file], name, { type: file.type });
}

function nameOf(path: string): string | undefined {
  return path.split('/').findLast((name) => name !== '');
}
