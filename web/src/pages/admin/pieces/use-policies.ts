import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';

/** All storage policies, the default one first. */
export function usePolicies() {
  return useQuery({
    queryKey: KEYS.admin('storage-policies'),
    queryFn: ({ signal }) => ask('GET /api/admin/storage-policies', { signal }),
  });
}
