import { Button, Group } from '@mantine/core';
import { IconRestore, IconTrashX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../../../client/src/client.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import type { Chosen } from '../../features/entries/entry-source.ts';
import { SelectionCount } from '../../features/entries/grid/selection-count.tsx';
import type { EntryGrid } from '../../features/entries/grid/state/use-entry-grid.ts';
import { DANGER } from '../../ui/danger.ts';

interface BarProps {
  readonly grid: EntryGrid<BinRecord>;
  readonly isNarrow: boolean;
  readonly onRestore: (chosen: Chosen<BinRecord>) => void;
  readonly onPurge: (chosen: Chosen<BinRecord>) => void;
}

/** The number of selected entries, and their actions. */
export function BinBar({ grid, isNarrow, onRestore, onPurge }: BarProps) {
  const { t } = useTranslation();
  const { can } = useDrive();
  const look = { variant: 'subtle', size: 'sm', h: 40, px: 'xs', disabled: grid.isGathering } as const;
  return (
    <Group gap={4} wrap="nowrap" role="toolbar" aria-label={t('drive.selectionActions')}>
      <SelectionCount grid={grid} />
      {can('EDIT') && (
        <Button
          {...look}
          leftSection={<IconRestore size={18} aria-hidden />}
          onClick={() => onRestore(grid.chosen())}
        >
          {t('bin.restore')}
        </Button>
      )}
      {can('MANAGE') && (
        <Button
          {...look}
          c={DANGER}
          leftSection={!isNarrow && <IconTrashX size={18} aria-hidden />}
          onClick={() => onPurge(grid.chosen())}
        >
          {t('bin.purge')}
        </Button>
      )}
    </Group>
  );
}
