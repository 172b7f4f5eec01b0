import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { lazy, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuLater } from '../../../ui/menu-later.tsx';
import { canPickHandles, pickHandles } from '../files/file-handles.ts';
import type { Picked } from '../files/picked-files.ts';
import { FileInput } from './file-input.tsx';
import { uploadsLater } from './uploads-later.ts';

const UploadMenuList = lazy(async () => ({
  default: (await import('./upload-menu-list.tsx')).UploadMenuList,
}));

/** The button that uploads files and folders into the directory. */
export function UploadMenu({ path }: { readonly path: string }) {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const upload = async (picked: readonly Picked[]) => (await uploadsLater.get()).uploadPicked(path, picked);
  const pickFiles = () => (canPickHandles() ? void uploadHandles(path) : files.current?.click());
  return (
    <>
      <MenuLater
        target={
          <Button h={40} leftSection={<IconUpload size={18} aria-hidden />}>
            {t('uploads.upload')}
          </Button>
        }
      >
        {(target) => (
          <UploadMenuList target={target} onFiles={pickFiles} onFolder={() => folder.current?.click()} />
        )}
      </MenuLater>
      <FileInput ref={files} name="files" onPick={(picked) => void upload(picked)} />
      <FileInput ref={folder} name="folder" isForFolders onPick={(picked) => void upload(picked)} />
    </>
  );
}

async function uploadHandles(path: string): Promise<void> {
  // Opened first: browsers allow it only from a click.
  const handles = await pickHandles();
  await (await uploadsLater.get()).uploadHandles(path, handles);
}
