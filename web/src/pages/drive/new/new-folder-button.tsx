import { Button } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';

interface NewFolderButtonProps {
  readonly isNarrow: boolean;
  readonly onOpen: () => void;
}

/** The button that asks for the name of a new folder. */
export function NewFolderButton({ isNarrow, onOpen }: NewFolderButtonProps) {
  const { t } = useTranslation();
  return isNarrow ? (
    <IconButton variant="default" size={40} label={t('drive.newFolder')} onClick={onOpen}>
      <IconFolderPlus size={20} aria-hidden />
    </IconButton>
  ) : (
    <Button variant="default" h={40} leftSection={<IconFolderPlus size={18} aria-hidden />} onClick={onOpen}>
      {t('drive.newFolder')}
    </Button>
  );
}
