import { Group, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import type { Matches, Viewer } from './make-viewer.ts';
import classes from './pdf.module.css';

const MAX_QUERY = 200;
const BUTTON = { size: 36, variant: 'subtle', color: 'gray' } as const;

interface PdfSearchProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly viewer: Viewer;
  readonly matches: Matches;
  readonly isSearching: boolean;
  readonly onClose: () => void;
}

/** Finds a text on all pages of a PDF. Enter goes to the next match. */
export function PdfSearch({ ref, viewer, matches, isSearching, onClose }: PdfSearchProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const change = (text: string) => {
    setQuery(text);
    viewer.find(text);
  };
  const move = (step: 'next' | 'previous') => viewer.find(query, step);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') move(event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    // Otherwise Escape would also close what is around the PDF.
    event.stopPropagation();
  };
  const { current, total } = matches;
  const numbers = { at: formatNumber(current), all: formatNumber(total) };
  const status =
    total > 0 ? t('preview.match', numbers) : t(isSearching ? 'preview.finding' : 'preview.noMatch');
  const isDisabled = total === 0;
  return (
    <Group gap={4} justify="center" className={classes.bar} role="search" data-unsearched>
      <TextInput
        ref={ref}
        size="xs"
        className={classes.query}
        aria-label={t('preview.findInPdf')}
        placeholder={t('preview.findInPdf')}
        autoComplete="off"
        maxLength={MAX_QUERY}
        autoFocus
        value={query}
        data-mantine-stop-propagation
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Text size="sm" role="status" className={classes.found}>
        {query === '' ? '' : status}
      </Text>
      <IconButton
        {...BUTTON}
        label={t('preview.previousMatch')}
        disabled={isDisabled}
        onClick={() => move('previous')}
      >
        <IconChevronUp size={20} aria-hidden />
      </IconButton>
      <IconButton
        {...BUTTON}
        label={t('preview.nextMatch')}
        disabled={isDisabled}
        onClick={() => move('next')}
      >
        <IconChevronDown size={20} aria-hidden />
      </IconButton>
      <IconButton {...BUTTON} label={t('preview.closeFind')} onClick={onClose}>
        <IconX size={20} aria-hidden />
      </IconButton>
    </Group>
  );
}
