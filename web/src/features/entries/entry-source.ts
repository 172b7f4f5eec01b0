/** A view of a list. Each has a range of its own, which stays loaded until it reports another one. */
export type Viewer = 'list' | 'preview';

/** A list that is loaded only in parts. */
export interface EntrySource<T> {
  readonly total: number;
  /** The total once all is loaded, for a list that grows at its end. */
  readonly finalTotal?: number | undefined;
  /** Undefined if it is not loaded yet. */
  readonly at: (index: number) => T | undefined;
  /** Reports the range that is visible or about to be, by default in the list. An empty range releases it. */
  readonly look: (from: number, to: number, viewer?: Viewer) => void;
  /** The entries of the range that are loaded, both ends included. Takes no longer for those that are not. */
  readonly loaded: (from: number, to: number) => readonly LoadedEntry<T>[];
  /** Loads missing entries of the range, both ends included. @throws HoldallError; `signal.reason` */
  readonly collect: (from: number, to: number, signal?: AbortSignal) => Promise<readonly T[]>;
  /** The index of a loaded entry. */
  readonly indexOf: (id: number) => number | undefined;
  /** Asks the service for the first entry whose name begins with the text. @throws HoldallError */
  readonly findByPrefix?: (text: string) => Promise<number | undefined>;
  /** All entries, if all are loaded. */
  readonly whole: readonly T[] | undefined;
  /** Whether an entry without an index is there nevertheless, in a closed group. */
  readonly isFolded?: (id: number) => boolean;
}

export interface LoadedEntry<T> {
  readonly index: number;
  readonly entry: T;
}

/** The entries of an action. Entries that are not loaded yet are fetched when the action starts. */
export interface Chosen<T> {
  readonly count: number;
  /** Set if there is exactly one. */
  readonly only: T | undefined;
  readonly has: (id: number) => boolean;
  readonly collect: () => Promise<readonly T[]>;
}

/** All entries that are loaded already. */
export function chosenOf<T extends { readonly id: number }>(entries: readonly T[]): Chosen<T> {
  const ids = new Set(entries.map(({ id }) => id));
  return {
    count: entries.length,
    only: entries.length === 1 ? entries[0] : undefined,
    has: (id) => ids.has(id),
    collect: async () => entries,
  };
}
