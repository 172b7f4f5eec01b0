import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';

/** All storage policies, the default one first. */
export function usePolicies() {
  return useQuery(queryOf(KEYS.admin('storage-policies'), 'GET /api/admin/storage-policies'));
}
