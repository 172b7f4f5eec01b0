import { Button, Menu } from '@mantine/core';
import { IconFile, IconFolder, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { canPickHandles, pickHandles } from './file-handles.ts';
import { FileInput } from './file-input.tsx';
import type { Picked } from './picked-files.ts';
import { uploadsLater } from './uploads-later.ts';

const CAN_PICK_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;

/** The button from which files and folders are uploaded into the directory. */
export function UploadMenu({ path }: { readonly path: string }) {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const upload = async (picked: readonly Picked[]) => (await uploadsLater.get()).uploadPicked(path, picked);
  const pickFiles = () => (canPickHandles() ? void uploadHandles(path) : files.current?.click());
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button h={40} leftSection={<IconUpload size={18} aria-hidden />}>
            {t('uploads.upload')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item mih={40} leftSection={<IconFile size={18} aria-hidden />} onClick={pickFiles}>
            {t('uploads.files')}
          </Menu.Item>
          {CAN_PICK_FOLDERS && (
            <Menu.Item
              mih={40}
              leftSection={<IconFolder size={18} aria-hidden />}
              onClick={() => folder.current?.click()}
            >
              {t('uploads.folder')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <FileInput ref={files} name="files" onPick={(picked) => void upload(picked)} />
      <FileInput ref={folder} name="folder" isForFolders onPick={(picked) => void upload(picked)} />
    </>
  );
}

async function uploadHandles(path: string): Promise<void> {
  // Picked first: the browser asks for that from a click only.
  const handles = await pickHandles();
  await (await uploadsLater.get()).uploadHandles(path, handles);
}
