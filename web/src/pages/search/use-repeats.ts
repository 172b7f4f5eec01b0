import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DriveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';

/** A search is repeated this long after the last change in the drive. By then, new files are indexed. */
const INDEXED_MS = 60_000;
/** While changes keep coming, it is repeated this often. */
const LONGEST_MS = 120_000;

/** The changes that no search covers for sure. The times are those of `performance.now()`. */
interface Changes {
  readonly first: number;
  readonly last: number;
}

/**
 * Repeats the searches in content after changes in the drive. Everything that refetches searches also refetches
 * the query that notes the changes. A search does not clear the note: it may be too early to find a new text.
 */
export function useRepeats(key: DriveKey, isContent: boolean): void {
  const client = useQueryClient();
  const { data: changes } = useQuery({
    queryKey: toNoteKey(key),
    queryFn: (): Changes | null => {
      const last = performance.now();
      return { first: client.getQueryData<Changes>(toNoteKey(key))?.first ?? last, last };
    },
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    enabled: isContent,
  });
  useEffect(() => {
    if (!isContent || changes === null) return;
    const { first, last } = changes;
    const dueAt = Math.min(last + INDEXED_MS, first + LONGEST_MS);
    const repeat = () => {
      const isIndexed = Math.max(dueAt, performance.now()) >= last + INDEXED_MS;
      client.setQueryData(toNoteKey(key), isIndexed ? null : { first: last, last });
      void client.invalidateQueries({ queryKey: KEYS.contentSearch(key) });
    };
    const timer = setTimeout(repeat, Math.ceil(dueAt - performance.now()));
    return () => clearTimeout(timer);
  }, [client, key, isContent, changes]);
}

/** A search for names has a longer key. */
function toNoteKey(key: DriveKey) {
  return [...KEYS.search(key), 'changes'];
}
