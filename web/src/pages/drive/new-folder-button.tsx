import { ActionIcon, Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

const NewFolderDialog = lazy(async () => ({
  default: (await import('./new-folder-dialog.tsx')).NewFolderDialog,
}));

export function NewFolderButton({ path, isNarrow }: { readonly path: string; readonly isNarrow: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isNarrow ? (
        <ActionIcon
          variant="default"
          size={40}
          aria-label={t('drive.newFolder')}
          onClick={() => setOpen(true)}
        >
          <IconFolderPlus size={20} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          h={40}
          leftSection={<IconFolderPlus size={18} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('drive.newFolder')}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <NewFolderDialog path={path} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
