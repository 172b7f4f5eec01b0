import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/buttons/icon-button.tsx';

interface ToggleProps {
  readonly isOpen: boolean;
  /** Invisible and unusable, but still takes up its space. */
  readonly isHidden: boolean;
  readonly onToggle: () => void;
}

/** Shows and hides the details beside the list. */
export function DetailsToggle({ isOpen, isHidden, onToggle }: ToggleProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      variant={isOpen ? 'light' : 'subtle'}
      color={isOpen ? 'blue' : 'gray'}
      size={40}
      label={t('drive.do.details')}
      aria-pressed={isOpen}
      style={{ visibility: isHidden ? 'hidden' : undefined }}
      onClick={onToggle}
    >
      <IconInfoCircle size={20} aria-hidden />
    </IconButton>
  );
}
