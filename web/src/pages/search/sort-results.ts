import type { EntryRecord } from '../../../../client/src/client.ts';
import { toSortName } from '../../common/names/sort-name.ts';
import type { ResultOrder } from './filters.ts';

/** Sorts completely loaded results: folders first and by name, or the largest or newest first. */
export function sortResults(entries: readonly EntryRecord[], order: ResultOrder): readonly EntryRecord[] {
  if (order === 'match') return entries;
  const keyed = entries.map((entry) => ({ entry, key: keyOf(entry, order) }));
  return keyed
    .sort((one, other) => compare(one.key, other.key) || one.entry.id - other.entry.id)
    .map(({ entry }) => entry);
}

/** The parameters with which the service sorts hits in content. */
export function toSortQuery(order: ResultOrder) {
  if (order === 'match') return {};
  return { sort: order, order: order === 'name' ? 'asc' : 'desc' } as const;
}

type Key = readonly (string | number)[];

function keyOf(entry: EntryRecord, order: Exclude<ResultOrder, 'match'>): Key {
  if (order === 'name') return [entry.directory ? 0 : 1, toSortName(entry.filename), entry.filename];
  return [order === 'size' ? -entry.size : -Date.parse(entry.modifiedAt)];
}

function compare(one: Key, other: Key): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  const [left = '', right = ''] = [one[at], other[at]];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
