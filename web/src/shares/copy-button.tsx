import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tellError } from '../common/tell.ts';
import { copyText } from './copy-text.ts';

const SAID_FOR_MS = 2_000;

interface CopyButtonProps extends ButtonProps {
  readonly text: string;
  /** What the button says. */
  readonly label: string;
  /** What is read out, where the button alone does not say what is copied. */
  readonly describedAs?: string;
  /** Whether it has the focus as soon as it is there. */
  readonly isFirst?: boolean;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label, describedAs, isFirst = false, ...looks }: CopyButtonProps) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else tellError(new Error('The browser lets nobody copy.'));
  };
  return (
    <Button
      {...looks}
      autoFocus={isFirst}
      data-autofocus={isFirst || undefined}
      onClick={() => void copy()}
      aria-label={isCopied ? t('shares.copied') : (describedAs ?? label)}
      leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
    >
      <span aria-live="polite">{isCopied ? t('shares.copied') : label}</span>
    </Button>
  );
}
