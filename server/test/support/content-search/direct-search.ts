import type { EntryOrder } from '../../../src/drive/entries/entry-order-queries.ts';
import { TextSearch } from '../../../src/drive/search/text-search.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

interface DirectSearch {
  readonly q: string;
  readonly place?: 'content' | 'all';
  readonly order?: EntryOrder;
  readonly page?: number;
  readonly size?: number;
  /** Lower ones than those of the service. */
  readonly limits?: {
    readonly maxMatches?: number;
    readonly maxFewEntries?: number;
    readonly hitsPerLookup?: number;
    readonly maxCompared?: number;
  };
}

const ANY = { from: undefined, to: undefined };

/** Searches texts in the drive of a person with other limits. The names are in the order of the answer. */
export async function searchDirectly(
  { app: { database, contentSearch } }: Holdall,
  person: Person,
  { q, place = 'content', order, page = 0, size = 100, limits = {} }: DirectSearch,
): Promise<{ readonly names: readonly string[]; readonly total: number }> {
  const conditions = {
    ...{ name: undefined, words: q, isDirectory: undefined, kind: undefined, paths: [] },
    ...{ size: ANY, created: ANY, updated: ANY, modified: ANY },
  };
  const request = { driveIds: [person.driveId], conditions, includesNames: place === 'all', order };
  const search = new TextSearch({ database, contentSearch, ...limits });
  const found = await search.find(request, { page, size }, new AbortController().signal);
  return { names: found.items.map(({ entry }) => entry.name), total: found.total };
}
