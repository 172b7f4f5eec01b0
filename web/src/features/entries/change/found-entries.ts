import type { QueryClient } from '@tanstack/react-query';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { KEYS } from '../../../api/keys.ts';
import { editEndless } from './listed-entries.ts';

/** Shows a changed entry in the results of searches in content, which are not refetched immediately. */
export function updateFound(queryClient: QueryClient, changed: EntryRecord): void {
  const update = (entry: EntryRecord) => (entry.id === changed.id ? { ...entry, ...changed } : entry);
  editEndless(queryClient, KEYS.contentSearch(), (entries) => entries.map(update));
}
