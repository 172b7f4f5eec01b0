import { useSearch } from '@tanstack/react-router';
import { useDrives } from '../drives/use-drive.ts';

/** Whether this server searches the content of files. Undefined until it is known. */
export function useHasContentSearch(): boolean | undefined {
  const { data: drives } = useDrives();
  return drives?.some(({ findsContent }) => findsContent === true);
}

/** The search text if the page searches the content of files. Empty on every other page. */
export function useContentQuery(): string {
  const hasContentSearch = useHasContentSearch();
  const query = useSearch({
    strict: false,
    // The router parses `q=2026` in an address as a number.
    select: ({ in: target, q = '' }) => (target === 'content' ? String(q) : ''),
  });
  return hasContentSearch === false ? '' : query;
}
