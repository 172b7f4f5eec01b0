/**
 * The selection in a partly loaded list. "All" is a flag, not an enumeration, so it includes entries that
 * were never loaded, except those that were deselected afterwards.
 */
export type Selection<T extends Identified> =
  | { readonly kind: 'some'; readonly entries: ReadonlyMap<number, T> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<number> };

interface Identified {
  readonly id: number;
}

export function selectNothing<T extends Identified>(): Selection<T> {
  return selectOnly([]);
}

export function selectOnly<T extends Identified>(entries: Iterable<T>): Selection<T> {
  return { kind: 'some', entries: new Map(Array.from(entries, (entry) => [entry.id, entry])) };
}

export function selectAll<T extends Identified>(): Selection<T> {
  return { kind: 'all', except: new Set() };
}

export function isSelected<T extends Identified>(selection: Selection<T>, id: number): boolean {
  return selection.kind === 'all' ? !selection.except.has(id) : selection.entries.has(id);
}

/** @param total the number of entries in the list */
export function countSelected<T extends Identified>(selection: Selection<T>, total: number): number {
  return selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.entries.size;
}

/** The selection with one entry added or removed. */
export function toggle<T extends Identified>(selection: Selection<T>, entry: T): Selection<T> {
  if (selection.kind === 'all') return { kind: 'all', except: flip(selection.except, entry.id) };
  const entries = new Map(selection.entries);
  if (!entries.delete(entry.id)) entries.set(entry.id, entry);
  return { kind: 'some', entries };
}

export function add<T extends Identified>(selection: Selection<T>, more: readonly T[]): Selection<T> {
  if (selection.kind === 'some') return selectOnly([...selection.entries.values(), ...more]);
  const except = new Set(selection.except);
  for (const { id } of more) except.delete(id);
  return { kind: 'all', except };
}

/** Called after a refetch of the whole list. Removes deleted entries and updates changed ones. */
export function renew<T extends Identified>(selection: Selection<T>, list: readonly T[]): Selection<T> {
  if (selection.kind === 'all') return selection;
  const now = list.filter((entry) => selection.entries.has(entry.id));
  const isSame =
    now.length === selection.entries.size && now.every((entry) => selection.entries.get(entry.id) === entry);
  return isSame ? selection : selectOnly(now);
}

function flip(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const flipped = new Set(ids);
  if (!flipped.delete(id)) flipped.add(id);
  return flipped;
}
