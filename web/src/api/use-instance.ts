import { useQuery } from '@tanstack/react-query';
import type { Instance } from '../../../client/src/client.ts';
import { queryOf } from './ask.ts';
import { KEYS } from './keys.ts';

const DEFAULT: Instance = { name: 'Holdall', greeting: null, logoUrl: null };

/** Changes by an administrator arrive when the page is loaded, or becomes active after this time. */
const FRESH_MS = 300_000;

/** What the service wrote into the page, so that the first view needs no request. */
const ofPage = readPage();
const loadedAt = Date.now();

/** The name, the greeting and the logo of the instance. */
export function useInstance(): Instance {
  const { data } = useQuery({
    ...queryOf(KEYS.instance(), 'GET /api/v2/site/instance'),
    initialData: ofPage,
    initialDataUpdatedAt: loadedAt,
    staleTime: FRESH_MS,
  });
  return data;
}

function readPage(): Instance {
  const content = document.querySelector('meta[name="instance"]')?.getAttribute('content');
  return content == null ? DEFAULT : JSON.parse(content);
}
