import { Button, Group } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SelectionCount } from '../../entries/grid/selection-count.tsx';
import type { EntryGrid } from '../../entries/grid/state/use-entry-grid.ts';
import { ACTION_ICONS } from './action-icons.tsx';
import { type EntryAction, isForViewers } from './entry-actions.ts';

interface BarProps {
  readonly grid: EntryGrid<EntryRecord>;
  readonly isNarrow: boolean;
  /** Whether actions are shown as icons, because there is little room next to the details. */
  readonly isCompact: boolean;
  /** Whether the user may change all selected entries. */
  readonly canEdit: boolean;
  readonly onAct: (action: EntryAction) => void;
}

/** The number of selected entries, and the most common actions. */
export function SelectionBar({ grid, isNarrow, isCompact, canEdit, onAct }: BarProps) {
  const { t } = useTranslation();
  const { count, isGathering } = grid;
  const usual: readonly EntryAction[] =
    count === 1 ? ['download', 'share', 'move', 'recycle'] : ['download', 'shareTogether', 'move', 'recycle'];
  const all = canEdit ? usual : usual.filter(isForViewers);
  // Actions that do not fit are in the menu.
  const actions = isNarrow ? all.filter((action) => action !== 'share' && action !== 'shareTogether') : all;
  return (
    <Group gap={4} wrap="nowrap" role="toolbar" aria-label={t('drive.selectionActions')} flex={1} miw={0}>
      <SelectionCount grid={grid} />
      {actions.map((action) => {
        const Icon = ACTION_ICONS[action];
        const label = t(`drive.do.${action}`);
        return isNarrow || isCompact ? (
          <IconButton
            key={action}
            variant="subtle"
            color="gray"
            size={40}
            label={label}
            disabled={isGathering}
            onClick={() => onAct(action)}
          >
            <Icon size={20} aria-hidden />
          </IconButton>
        ) : (
          <Button
            key={action}
            variant="subtle"
            color="gray"
            size="sm"
            px="xs"
            leftSection={<Icon size={18} aria-hidden />}
            disabled={isGathering}
            onClick={() => onAct(action)}
          >
            {label}
          </Button>
        );
      })}
      <IconButton
        variant="subtle"
        color="gray"
        size={40}
        label={t('drive.moreActions')}
        aria-haspopup="menu"
        disabled={isGathering}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          grid.openMenu({ x: left, y: bottom });
        }}
      >
        <IconDots size={20} aria-hidden />
      </IconButton>
    </Group>
  );
}
