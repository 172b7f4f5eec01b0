import type { ReactNode } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import { EntryBrowser } from './entry-browser.tsx';

/** So many entries before the end there should be more. */
const BEFORE_END = 50;

interface EntryListProps {
  /** All that have been loaded, in the order to show. */
  readonly entries: readonly EntryRecord[];
  /** What the list is, for those who hear the page: "Recent files". */
  readonly label: string;
  /** Shows of each where it lies: for entries of several folders. */
  readonly showPath?: boolean;
  /** Said over the list while nothing is selected, such as how many were found. */
  readonly status?: ReactNode;
  /** The end of the list is in view: load more, if there are more. May be called again and again. */
  readonly onEndSeen?: () => void;
}

/**
 * Files and folders of any places, with all that can be done with them: opening (a folder's page, a file's preview), the
 * context menu, several at once, the keyboard, renaming in place. It takes the height that its parent leaves (make that a flex
 * column of a fixed height) and scrolls by itself; rows are virtual, so any number may be given. What was changed is invalidated:
 * `entries`, `recent`, `search`, `bin`.
 *
 * ```tsx
 * <EntryList entries={data.items} label={t('search.results')} showPath onEndSeen={() => void fetchNextPage()} />
 * ```
 */
export function EntryList({ entries, label, showPath = false, status, onEndSeen }: EntryListProps) {
  const seen = useRef(onEndSeen);
  useEffect(() => {
    seen.current = onEndSeen;
  });
  const source = useMemo((): EntrySource<EntryRecord> => {
    const places = new Map(entries.map((entry, index) => [entry.id, index]));
    return {
      total: entries.length,
      at: (index) => entries[index],
      look: (_, to) => {
        if (to >= entries.length - BEFORE_END) seen.current?.();
      },
      collect: async (from, to) => entries.slice(from, to + 1),
      indexOf: (id) => places.get(id),
      whole: entries,
    };
  }, [entries]);
  return <EntryBrowser source={source} label={label} showPath={showPath} status={status} />;
}
