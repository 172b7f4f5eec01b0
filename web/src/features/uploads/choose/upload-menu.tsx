import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { MenuLater } from '../../../ui/menus/menu-later.tsx';
import { useDriveId } from '../../drives/use-drive.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { canPickHandles, pickHandles } from '../files/file-handles.ts';
import type { Picked } from '../files/picked-files.ts';
import { FileInput } from './file-input.tsx';
import { uploadsLater } from './uploads-later.ts';

const UploadMenuList = lazyPart(async () => (await import('./upload-menu-list.tsx')).UploadMenuList);

/** Opens the browser's file or folder picker and uploads what the user picks. */
export interface UploadPickers {
  readonly pickFiles: () => void;
  readonly pickFolder: () => void;
  /** The hidden inputs, which must be on the page. */
  readonly inputs: ReactNode;
}

export function useUploadPickers(path: string): UploadPickers {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drive = useDriveId();
  const upload = async (picked: readonly Picked[]) =>
    (await uploadsLater.get()).uploadPicked({ drive, directory: path }, picked);
  return {
    pickFiles: () =>
      canPickHandles() ? void uploadHandles({ drive, directory: path }) : files.current?.click(),
    pickFolder: () => folder.current?.click(),
    inputs: (
      <>
        <FileInput ref={files} name="files" onPick={(picked) => void upload(picked)} />
        <FileInput ref={folder} name="folder" isForFolders onPick={(picked) => void upload(picked)} />
      </>
    ),
  };
}

interface UploadMenuProps {
  readonly pickers: UploadPickers;
  /** Whether the button must leave room for the folder name beside it. */
  readonly isNarrow: boolean;
  readonly onNewText?: (kind: 'text' | 'markdown') => void;
}

/** The button that uploads files and folders. */
export function UploadMenu({ pickers, isNarrow, onNewText }: UploadMenuProps) {
  const { t } = useTranslation();
  const label = t('uploads.upload');
  return (
    <>
      <MenuLater
        target={
          isNarrow ? (
            <IconButton size={40} label={label}>
              <IconUpload size={20} aria-hidden />
            </IconButton>
          ) : (
            <Button h={40} leftSection={<IconUpload size={18} aria-hidden />}>
              {label}
            </Button>
          )
        }
      >
        {(target) => (
          <UploadMenuList
            target={target}
            onFiles={pickers.pickFiles}
            onFolder={pickers.pickFolder}
            onNewText={onNewText}
          />
        )}
      </MenuLater>
      {pickers.inputs}
    </>
  );
}

async function uploadHandles(folder: DirectoryPlace): Promise<void> {
  // Opened before anything else is awaited, because browsers allow it only right after a click.
  const handles = await pickHandles();
  await (await uploadsLater.get()).uploadHandles(folder, handles);
}
