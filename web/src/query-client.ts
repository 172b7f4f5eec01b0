import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './api/is-passing.ts';

const MAX_RETRIES = 3;

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // An error response of the service would be the same again.
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        staleTime: 10_000,
      },
    },
  });
}
