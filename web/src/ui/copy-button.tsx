import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps extends ButtonProps {
  readonly text: string;
  /** What the button says. */
  readonly label: string;
  /** What is read out, where the button alone does not say what is copied. */
  readonly describedAs?: string;
  /** Whether it has the focus as soon as it is there. */
  readonly isFirst?: boolean;
  readonly Icon?: typeof IconCopy;
}

/** Copies a text, and says so for a moment. */
export function CopyButton(parts: CopyButtonProps) {
  const { text, label, describedAs, isFirst = false, Icon = IconCopy, ...looks } = parts;
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy(text);
  const Picture = isCopied ? IconCheck : Icon;
  return (
    <Button
      variant="default"
      {...looks}
      autoFocus={isFirst}
      data-autofocus={isFirst || undefined}
      onClick={copy}
      aria-label={isCopied ? t('common.copied') : (describedAs ?? label)}
      leftSection={<Picture size={16} aria-hidden />}
    >
      <span aria-live="polite">{isCopied ? t('common.copied') : label}</span>
    </Button>
  );
}
