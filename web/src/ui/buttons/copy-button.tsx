import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps extends ButtonProps {
  readonly text: string;
  /** The label of the button. */
  readonly label: string;
  /** The accessible name, if the label does not say what is copied. */
  readonly describedAs?: string;
  /** Whether the button is focused when it appears. */
  readonly isFirst?: boolean;
  readonly Icon?: typeof IconCopy;
}

/** Copies a text and confirms it for a moment. */
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
