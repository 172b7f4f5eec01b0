import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/ask.ts';
import type { AdminPolicy } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';

/** All storage policies, the default one first. */
export function usePolicies() {
  return useQuery({
    queryKey: KEYS.admin('storage-policies'),
    queryFn: ({ signal }) => ask<AdminPolicy[]>('GET', '/api/admin/storage-policies', { signal }),
  });
}
