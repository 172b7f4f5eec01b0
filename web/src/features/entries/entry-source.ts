/** A viewer of a list. The range that it reported last stays loaded. */
export type Viewer = 'list' | 'preview';

/** A list of which only parts are loaded. */
export interface EntrySource<T> {
  readonly total: number;
  /** For a list that loads more at its end: the total once everything is loaded. */
  readonly finalTotal?: number | undefined;
  /** The entry at an index; undefined if it is not loaded yet. */
  readonly at: (index: number) => T | undefined;
  /**
   * Reports the range that is or will soon be visible, by default in the list. An empty range releases it.
   */
  readonly look: (from: number, to: number, viewer?: Viewer) => void;
  /** The loaded entries of the range, both ends included. Unloaded entries cost no time. */
  readonly loaded: (from: number, to: number) => readonly LoadedEntry<T>[];
  /** Loads missing entries of the range, both ends included. @throws HoldallError; `signal.reason` */
  readonly collect: (from: number, to: number, signal?: AbortSignal) => Promise<readonly T[]>;
  /** The index of a loaded entry. */
  readonly indexOf: (id: number) => number | undefined;
  /** Asks the service for the first entry whose name begins with the text. @throws HoldallError */
  readonly findByPrefix?: (text: string) => Promise<number | undefined>;
  /** All entries, if all of them are loaded. */
  readonly whole: readonly T[] | undefined;
  /** Whether an entry without an index is in the list, but in a closed group. */
  readonly isFolded?: (id: number) => boolean;
}

export interface LoadedEntry<T> {
  readonly index: number;
  readonly entry: T;
}

/** The entries of an action. Entries that are not loaded yet are fetched when the action starts. */
export interface Chosen<T> {
  readonly count: number;
  /** The entry, if there is exactly one. */
  readonly only: T | undefined;
  readonly has: (id: number) => boolean;
  readonly collect: () => Promise<readonly T[]>;
}

/** Makes a choice of loaded entries. */
export function chosenOf<T extends { readonly id: number }>(entries: readonly T[]): Chosen<T> {
  const ids = new Set(entries.map(({ id }) => id));
  return {
    count: entries.length,
    only: entries.length === 1 ? entries[0] : undefined,
    has: (id) => ids.has(id),
    collect: async () => entries,
  };
}
