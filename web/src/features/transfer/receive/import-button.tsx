import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../api/keys.ts';
import { useSession } from '../../../api/use-session.ts';
import { tell } from '../../../ui/tell.ts';
import { notifyFailure } from '../progress/notify-failure.ts';

const FolderPicker = lazy(async () => ({
  default: (await import('../../entries/folder-picker/folder-picker.tsx')).FolderPicker,
}));

interface ImportButtonProps {
  readonly label: string;
  /** Imports the files into the chosen folder. */
  readonly onImport: (target: string) => Promise<void>;
}

/** Shown to users who are logged in. */
export function ImportButton({ label, onImport }: ImportButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const bring = useMutation({
    mutationFn: onImport,
    onSuccess: () => {
      setOpen(false);
      tell(t('transfer.imported'));
    },
    onError: notifyFailure,
    // Some of the files may have been imported although another one was refused.
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEYS.entries() }),
  });
  if (useSession() === undefined) return null;
  return (
    <>
      <Button
        h={40}
        variant="default"
        leftSection={<IconFolderPlus size={18} aria-hidden />}
        loading={bring.isPending}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <FolderPicker
            title={t('transfer.importWhere')}
            action={t('transfer.importHere')}
            isPending={bring.isPending}
            onPick={(path) => bring.mutate(path)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
