import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useCopy } from '../../ui/buttons/use-copy.ts';
import classes from './details.module.css';

interface CopiedValueProps {
  readonly value: string;
  /** The label of the button. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A value with a button to copy it. */
export function CopiedValue({ value, label, children }: CopiedValueProps) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy(value);
  return (
    <div className={classes.copied}>
      {children}
      <IconButton variant="default" size={40} onClick={copy} label={isCopied ? t('common.copied') : label}>
        {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </IconButton>
    </div>
  );
}
