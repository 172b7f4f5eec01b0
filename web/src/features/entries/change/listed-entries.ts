import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { EntryRecord, Page } from '../../../../../client/src/client.ts';
import type { DriveKey } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { isWithin } from '../../../common/names/drive-paths.ts';

/** The cached lists that may show a changed entry. */
export const LISTS: readonly QueryKey[] = [
  KEYS.entries(),
  KEYS.recent(),
  KEYS.timeline(),
  KEYS.starred(),
  KEYS.search(),
  KEYS.bin(),
];

/** Refetches everything that may show a changed entry. The current content stays visible meanwhile. */
export async function renewLists(queryClient: QueryClient): Promise<void> {
  const keys = [...LISTS, KEYS.profile(), KEYS.drives()];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Updates the cached lists of a directory before the service has answered. */
export function editListed(
  queryClient: QueryClient,
  directory: string,
  edit: (entry: EntryRecord) => EntryRecord,
): void {
  queryClient.setQueriesData({ queryKey: KEYS.entries(directory) }, (page: unknown) =>
    isPage(page) ? { ...page, items: page.items.map(edit) } : page,
  );
}

/** Removes entries from the cached lists of their directories. */
export function dropListed(queryClient: QueryClient, gone: readonly EntryRecord[]): void {
  for (const directory of new Set(gone.map((entry) => entry.parentPath))) {
    dropFrom(queryClient, KEYS.entries(directory), gone);
  }
}

/** Removes deleted entries, and everything in deleted folders, from all cached lists. */
export function dropEverywhere(queryClient: QueryClient, gone: readonly EntryRecord[]): void {
  dropListed(queryClient, gone);
  const ids = new Set(gone.map(({ id }) => id));
  const folders = gone.filter(({ directory }) => directory);
  const isGone = ({ id, driveId, path }: EntryRecord) =>
    ids.has(id) || folders.some((folder) => folder.driveId === driveId && isWithin(path, folder.path));
  const keep = (entries: readonly EntryRecord[]) => entries.filter((entry) => !isGone(entry));
  queryClient.setQueriesData({ queryKey: KEYS.recent() }, (list: unknown) =>
    isList(list) ? keep(list) : list,
  );
  for (const queryKey of [KEYS.starred(), KEYS.search(), KEYS.contentSearch()])
    editEndless(queryClient, queryKey, keep);
  dropPictures(queryClient, isGone);
}

/** Removes entries that have lost their star from the starred list. */
export function dropStarred(queryClient: QueryClient, gone: readonly EntryRecord[]): void {
  const ids = new Set(gone.map(({ id }) => id));
  editEndless(queryClient, KEYS.starred(), (entries) => entries.filter(({ id }) => !ids.has(id)));
}

/** Removes entries from a paged list. The entries after them move up. */
export function dropFrom(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  gone: readonly { readonly id: number }[],
): void {
  const ids = new Set(gone.map((entry) => entry.id));
  // A directory has a list for each order of its entries.
  const lists = new Map<string, QueryKey>();
  for (const [key] of queryClient.getQueriesData({ queryKey })) {
    const list = key.slice(0, -1);
    if (typeof key.at(-1) === 'number') lists.set(JSON.stringify(list), list);
  }
  for (const list of lists.values()) dropFromPages<EntryRecord>(queryClient, list, ({ id }) => ids.has(id));
}

/**
 * Removes entries from the cached pages of a list. Returns the former indexes of the entries, in order.
 * @param queryKey the key of the list; the key of each page ends with the page number
 */
function dropFromPages<T>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  isGone: (entry: T) => boolean,
): readonly number[] {
  const pages = new Map<number, Page<T>>();
  for (const [key, page] of queryClient.getQueriesData<unknown>({ queryKey })) {
    const number = key[queryKey.length];
    if (key.length === queryKey.length + 1 && typeof number === 'number' && isPage<T>(page))
      pages.set(number, page);
  }
  const { places, kept } = dropPlaces(pages, isGone);
  if (places.length === 0) return places;
  for (const [number, page] of pages) {
    const items: T[] = [];
    for (let at = number * page.size; at < (number + 1) * page.size; at += 1) {
      const entry = kept.get(at);
      // The following entries are not loaded. The list shows gaps until they are.
      if (entry === undefined) break;
      items.push(entry);
    }
    queryClient.setQueryData([...queryKey, number], { ...page, items, total: page.total - places.length });
  }
  return places;
}

/** Finds the indexes of the entries to remove, and the new indexes of the others. */
function dropPlaces<T>(pages: ReadonlyMap<number, Page<T>>, isGone: (entry: T) => boolean) {
  const places: number[] = [];
  const kept = new Map<number, T>();
  for (const [number, { items, size }] of [...pages].toSorted(([one], [other]) => one - other)) {
    for (const [at, entry] of items.entries()) {
      const place = number * size + at;
      if (isGone(entry)) places.push(place);
      else kept.set(place - places.length, entry);
    }
  }
  return { places, kept };
}

/** The number of pictures of each day of a month. */
export interface MonthCount {
  readonly month: string;
  readonly days: readonly { readonly day: number; readonly count: number }[];
}

/** The key of the counts by month. @param filter what is counted, as text */
export const monthsKey = (drive: DriveKey, filter: string) => [...KEYS.timeline(drive), filter, 'months'];
/** The key of the pages of pictures. @param filter what is listed, as text */
export const picturesKey = (drive: DriveKey, filter: string) => [...KEYS.timeline(drive), filter, 'pages'];

/** Also decreases the counts of the days, so that the other pictures keep their positions. */
function dropPictures(queryClient: QueryClient, isGone: (entry: EntryRecord) => boolean): void {
  const lists = new Map<string, QueryKey>();
  for (const [key] of queryClient.getQueriesData({ queryKey: KEYS.timeline() }))
    lists.set(JSON.stringify(key.slice(0, TIMELINE_KEY_LENGTH)), key);
  for (const [, drive, filter] of lists.values())
    dropPicturesIn({ drive: drive as DriveKey, filter: String(filter) }, queryClient, isGone);
}

/** The area, the drive and the filter. */
const TIMELINE_KEY_LENGTH = 3;

function dropPicturesIn(
  { drive, filter }: { readonly drive: DriveKey; readonly filter: string },
  queryClient: QueryClient,
  isGone: (entry: EntryRecord) => boolean,
): void {
  const places = new Set(dropFromPages<EntryRecord>(queryClient, picturesKey(drive, filter), isGone));
  if (places.size === 0) return;
  let first = 0;
  const less = ({ day, count }: MonthCount['days'][number]) => {
    const left = Array.from({ length: count }, (_, at) => first + at).filter((place) => !places.has(place));
    first += count;
    return { day, count: left.length };
  };
  queryClient.setQueryData<readonly MonthCount[]>(monthsKey(drive, filter), (months) =>
    months?.map((month) => ({ ...month, days: month.days.map(less).filter(({ count }) => count > 0) })),
  );
}

/** Changes the entries of infinite lists. */
export function editEndless(
  queryClient: QueryClient,
  queryKey: QueryKey,
  edit: (entries: readonly EntryRecord[]) => readonly EntryRecord[],
): void {
  queryClient.setQueriesData({ queryKey }, (data: unknown) => {
    if (!isEndless(data)) return data;
    const pages = data.pages.map((page) => ({ ...page, items: edit(page.items) }));
    const dropped = sumOf(data.pages) - sumOf(pages);
    return { ...data, pages: pages.map((page) => ({ ...page, total: page.total - dropped })) };
  });
}

function sumOf(pages: readonly { readonly items: readonly unknown[] }[]): number {
  return pages.reduce((sum, { items }) => sum + items.length, 0);
}

/** Other data may be cached under the same key prefix, such as the levels of a folder picker. */
function isPage<T = EntryRecord>(value: unknown): value is Page<T> {
  return typeof value === 'object' && value !== null && 'items' in value && 'total' in value;
}

function isList(value: unknown): value is readonly EntryRecord[] {
  return Array.isArray(value);
}

function isEndless(value: unknown): value is { readonly pages: readonly Page<EntryRecord>[] } {
  return typeof value === 'object' && value !== null && 'pages' in value && Array.isArray(value.pages);
}
