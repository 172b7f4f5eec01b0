import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { useSession } from '../../../api/use-session.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { askUser } from '../../entries/conflicts/ask-user.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { stayAwake } from '../session/stay-awake.ts';
import { setCurrentImport, useIsImporting } from './current-import.ts';
import { DriveImport } from './drive-import.ts';
import type { ImportSource } from './import-sources.ts';

const FolderPicker = lazyPart(
  async () => (await import('../../entries/folder-picker/folder-picker.tsx')).FolderPicker,
);

/** Imports files into a folder that the user chooses. Shown to users who are logged in. */
export function ImportButton({ findSources }: { readonly findSources: () => readonly ImportSource[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const isImporting = useIsImporting();
  const begin = (target: DirectoryPlace) => {
    setOpen(false);
    const sources = findSources();
    const started = new DriveImport({
      sources,
      target,
      decisions: askUser(sources.length > 1 ? 'several' : 'one'),
      onEnd: () => void queryClient.invalidateQueries({ queryKey: KEYS.entries() }),
    });
    setCurrentImport(started);
    void startAwake(started);
  };
  if (useSession() === undefined) return null;
  return (
    <>
      <Button
        h={40}
        variant="default"
        leftSection={<IconFolderPlus size={18} aria-hidden />}
        disabled={isImporting}
        onClick={() => setOpen(true)}
      >
        {t('transfer.import')}
      </Button>
      {isOpen && (
        <Suspense>
          <FolderPicker
            title={t('transfer.importWhere')}
            action={t('transfer.importHere')}
            isPending={false}
            isAcrossDrives
            onPick={(path, drive) => begin({ drive, directory: path })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Starts or retries an import. While it runs, the browser asks before the user leaves the page. */
export async function startAwake(started: DriveImport): Promise<void> {
  const sleep = stayAwake();
  await started.start();
  sleep();
}
