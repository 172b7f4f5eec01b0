import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';

const NewFolderDialog = lazyPart(async () => (await import('./new-folder-dialog.tsx')).NewFolderDialog);

interface NewFolderButtonProps {
  readonly path: string;
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The button that creates a folder, and its dialog. */
export function NewFolderButton({ path, isNarrow, isOpen, onOpen }: NewFolderButtonProps) {
  const { t } = useTranslation();
  return (
    <>
      {isNarrow ? (
        <IconButton variant="default" size={40} label={t('drive.newFolder')} onClick={() => onOpen(true)}>
          <IconFolderPlus size={20} aria-hidden />
        </IconButton>
      ) : (
        <Button
          variant="default"
          h={40}
          leftSection={<IconFolderPlus size={18} aria-hidden />}
          onClick={() => onOpen(true)}
        >
          {t('drive.newFolder')}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <NewFolderDialog path={path} onClose={() => onOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
