import type { ReactNode } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import type { Column } from '../entries/grid/column.ts';
import type { TilesProps } from '../entries/grid/entry-tiles.tsx';
import type { ListedTime } from './chosen-columns.tsx';
import { EntryBrowser } from './entry-browser.tsx';

/** More entries are requested when this many remain below the view. */
const BEFORE_END = 50;

interface EntryListProps {
  /** All loaded entries, in display order. */
  readonly entries: readonly EntryRecord[];
  /** Entries of closed groups, which are not shown. */
  readonly folded?: readonly EntryRecord[];
  /** The number of entries, including those that are not loaded. */
  readonly total?: number | undefined;
  /** The accessible name of the list, such as "Recent files". */
  readonly label: string;
  /** Shows the location of each entry, for entries from several folders. */
  readonly showPath?: boolean;
  /** Shows the drive of each entry, for entries from several drives. */
  readonly showDrive?: boolean;
  /** A line below each entry. The object must stay the same while its content does. */
  readonly below?: Column<EntryRecord> | undefined;
  /** The time that is shown with each entry. By default, when its content was modified. */
  readonly time?: ListedTime;
  /** Shown above the list while nothing is selected, such as the number of results. */
  readonly status?: ReactNode;
  /** The title of the page. Set only in windows of so little height that it shares the toolbar's line. */
  readonly heading?: ReactNode;
  /** Renders the entries in place of the list. */
  readonly renderGrid?: (props: TilesProps) => ReactNode;
  /**
   * Called when the end of the list is visible, possibly repeatedly. The caller loads more if there is more.
   */
  readonly onEndSeen?: () => void;
}

/**
 * Files and folders from any location, with all actions: opening (a folder's page, a file's preview), the
 * context menu, multiple selection, the keyboard, renaming in place. It fills the height of its parent (a
 * flex column of a fixed height) and scrolls by itself. Only visible rows are rendered, so the list may have
 * any number of entries. Changes invalidate `entries`, `recent`, `search` and `bin`.
 *
 * ```tsx
 * <EntryList entries={items} label={t('drive.results')} showPath onEndSeen={() => void fetchNextPage()} />
 * ```
 */
export function EntryList({
  entries,
  folded,
  total,
  label,
  showPath = false,
  showDrive = false,
  below,
  time = 'modifiedAt',
  status,
  heading,
  renderGrid,
  onEndSeen,
}: EntryListProps) {
  const seen = useRef(onEndSeen);
  useEffect(() => {
    seen.current = onEndSeen;
  });
  const source = useMemo((): EntrySource<EntryRecord> => {
    const places = new Map(entries.map((entry, index) => [entry.id, index]));
    return {
      total: entries.length,
      finalTotal: total,
      at: (index) => entries[index],
      look: (from, to) => {
        if (to >= from && to >= entries.length - BEFORE_END) seen.current?.();
      },
      loaded: (from, to) =>
        entries.slice(from, to + 1).map((entry, place) => ({ index: from + place, entry })),
      collect: async (from, to) => entries.slice(from, to + 1),
      indexOf: (id) => places.get(id),
      whole: entries,
      isFolded: (id) => folded?.some((entry) => entry.id === id) === true,
    };
  }, [entries, folded, total]);
  return (
    <EntryBrowser
      source={source}
      label={label}
      showPath={showPath}
      showDrive={showDrive}
      below={below}
      time={time}
      status={status}
      heading={heading}
      {...(renderGrid && { renderGrid })}
    />
  );
}
