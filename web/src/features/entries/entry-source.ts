/** A list of which only parts are loaded. */
export interface EntrySource<T> {
  readonly total: number;
  /** Undefined where it is not loaded yet. */
  readonly at: (index: number) => T | undefined;
  /** These are in view, or about to be. */
  readonly look: (from: number, to: number) => void;
  /** Loads what is missing of them; both ends belong to it. @throws ApiError */
  readonly collect: (from: number, to: number) => Promise<readonly T[]>;
  /** Where a loaded one stands. */
  readonly indexOf: (id: number) => number | undefined;
  /** All of it, where all of it is loaded. */
  readonly whole: readonly T[] | undefined;
}

/** What is to be acted upon. Those that are not loaded yet are fetched when it comes to it. */
export interface Chosen<T> {
  readonly count: number;
  /** Where it is just one. */
  readonly only: T | undefined;
  readonly collect: () => Promise<readonly T[]>;
}

/** What is loaded already, all of it. */
export function chosenOf<T>(entries: readonly T[]): Chosen<T> {
  return {
    count: entries.length,
    only: entries.length === 1 ? entries[0] : undefined,
    collect: async () => entries,
  };
}
