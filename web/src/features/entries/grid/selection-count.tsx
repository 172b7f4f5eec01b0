import { Loader, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import type { EntryGrid } from './state/use-entry-grid.ts';

/** The number of selected entries, with a button that clears the selection. */
export function SelectionCount<T extends EntryRecord>({ grid }: { readonly grid: EntryGrid<T> }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        variant="subtle"
        color="gray"
        size={40}
        label={t('drive.selectNone')}
        onClick={() => {
          grid.clear();
          grid.focus();
        }}
      >
        <IconX size={18} aria-hidden />
      </IconButton>
      <Text size="sm" fw={600} aria-live="polite" style={{ whiteSpace: 'nowrap' }} mr="xs">
        {t('drive.selected', { count: grid.count })}
      </Text>
      {grid.isGathering && <Loader size="xs" aria-label={t('drive.gathering')} />}
    </>
  );
}
