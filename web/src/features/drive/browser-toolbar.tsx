import { Group } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import type { Chosen } from '../entries/entry-source.ts';
import type { EntryGrid } from '../entries/grid/state/use-entry-grid.ts';
import type { EntryAction } from './actions/entry-actions.ts';
import styles from './entry-browser.module.css';

const SelectionBar = lazyPart(async () => (await import('./actions/selection-bar.tsx')).SelectionBar);

interface ToolbarProps {
  readonly grid: EntryGrid<EntryRecord>;
  readonly isNarrow: boolean;
  readonly isLow: boolean;
  /** The title of the page. Set only in windows of so little height that it shares the toolbar's line. */
  readonly heading: ReactNode;
  /** Shown while nothing is selected. */
  readonly status: ReactNode;
  /** Always shown at the end. */
  readonly tools: ReactNode;
  /** Whether the details are shown beside the list; undefined if the list has no place for them. */
  readonly areDetailsOpen: boolean | undefined;
  readonly onToggleDetails: () => void;
  /** Whether the user may change all of these entries. */
  readonly isEditable: (chosen: Chosen<EntryRecord>) => boolean;
  readonly onAct: (action: EntryAction) => void;
}

/** The line above the entries: the status of the list, or the actions for the selection. */
export function BrowserToolbar(props: ToolbarProps) {
  const { grid, isNarrow, isLow, heading, status, tools, areDetailsOpen, onToggleDetails } = props;
  const hasSelection = grid.count > 0;
  return (
    <Group className={styles.bar} wrap="nowrap" justify="space-between" gap="xs">
      {heading !== undefined && (
        // Only hidden visually, so that screen readers still find the page title.
        <div className={hasSelection ? styles.away : styles.heading}>{heading}</div>
      )}
      {hasSelection ? (
        <Suspense fallback={<div />}>
          <SelectionBar
            grid={grid}
            isNarrow={isNarrow}
            isCompact={areDetailsOpen === true}
            canEdit={props.isEditable(grid.chosen())}
            onAct={props.onAct}
          />
        </Suspense>
      ) : (
        heading === undefined && <div>{status}</div>
      )}
      {!((isNarrow || isLow) && hasSelection) && (
        <Group gap={0} wrap="nowrap">
          {tools}
          {areDetailsOpen !== undefined && (
            <DetailsToggle
              isOpen={areDetailsOpen}
              isHidden={grid.source.total === 0}
              onToggle={onToggleDetails}
            />
          )}
        </Group>
      )}
    </Group>
  );
}

interface ToggleProps {
  readonly isOpen: boolean;
  /** Whether the button is invisible and disabled, but keeps its space. */
  readonly isHidden: boolean;
  readonly onToggle: () => void;
}

/** A button that shows and hides the details beside the list. */
function DetailsToggle({ isOpen, isHidden, onToggle }: ToggleProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      variant={isOpen ? 'light' : 'subtle'}
      color={isOpen ? 'blue' : 'gray'}
      size={40}
      label={t('drive.do.details')}
      aria-pressed={isOpen}
      style={{ visibility: isHidden ? 'hidden' : undefined }}
      onClick={onToggle}
    >
      <IconInfoCircle size={20} aria-hidden />
    </IconButton>
  );
}
