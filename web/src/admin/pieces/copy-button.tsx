import { Button, type ButtonProps } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tellError } from '../../common/tell.ts';
import { copyText } from './copy-text.ts';

const SHOWN_MS = 2_000;

/** Copies, and says so for a moment. */
export function CopyButton({ text, label, ...more }: ButtonProps & { text: string; label: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), SHOWN_MS);
  const copy = async () => {
    try {
      await copyText(text);
      setCopied(true);
      start();
    } catch (error) {
      tellError(error);
    }
  };
  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => void copy()}
      {...more}
    >
      <span aria-live="polite">{isCopied ? t('admin.copied') : label}</span>
    </Button>
  );
}
