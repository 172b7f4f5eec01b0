import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { copyText } from '../../common/copy-text.ts';
import { notifyError } from '../notifications/notify.ts';

const SHOWN_MS = 2_000;

/** Copies a text, and reports for a moment that it was copied. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), SHOWN_MS);
  const copy = async () => {
    if (!(await copyText(text))) return notifyError(new Error('The browser lets nobody copy.'));
    setCopied(true);
    start();
  };
  return { isCopied, copy: () => void copy() };
}
