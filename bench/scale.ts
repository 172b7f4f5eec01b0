const MIB = 1024 * 1024;

/** How much each case does. */
export interface Scale {
  /** Every figure is the median of this many runs. */
  readonly runs: number;
  /** Duration of a run that counts requests. */
  readonly seconds: number;
  readonly uploads: number;
  readonly bigFileBytes: number;
  readonly rangedFileBytes: number;
  /** Parts of the session whose completion is measured; each has 8 MiB. */
  readonly recordedParts: number;
  /** Entries of the directories that are listed: small, middle, large. */
  readonly directorySizes: readonly [number, number, number];
  /** Approximate number of entries of the drives that are searched. */
  readonly searchedEntries: readonly [number, number];
  /** Approximate number of entries of an account that grows. */
  readonly accountEntries: readonly [number, number, number];
  /** Accounts over which the same load is spread. */
  readonly accounts: readonly [number, number, number];
  readonly movedDescendants: number;
  readonly copiedFiles: number;
  readonly zippedFiles: number;
  /** Photos of 3 MB whose thumbnails are made. */
  readonly photos: number;
  /** ONLINE sessions that are open at once, each with a waiting receiver. */
  readonly liveTransfers: number;
  /** Event streams that are open at once. */
  readonly streams: number;
  /** How often a single operation is repeated within a run, for its median time. */
  readonly repeats: number;
}

export const FULL: Scale = {
  runs: 5,
  seconds: 3,
  uploads: 2_000,
  bigFileBytes: 1_024 * MIB,
  rangedFileBytes: 64 * MIB,
  recordedParts: 1_000,
  directorySizes: [1_000, 10_000, 100_000],
  searchedEntries: [50_000, 1_000_000],
  accountEntries: [1_000, 100_000, 1_000_000],
  accounts: [1, 10, 100],
  movedDescendants: 10_000,
  copiedFiles: 2_000,
  zippedFiles: 1_000,
  photos: 500,
  liveTransfers: 1_000,
  streams: 1_000,
  repeats: 20,
};

/** A quick run that shows whether everything works. Its figures are not compared with the goals. */
export const QUICK: Scale = {
  runs: 1,
  seconds: 0.5,
  uploads: 200,
  bigFileBytes: 64 * MIB,
  rangedFileBytes: 8 * MIB,
  recordedParts: 20,
  directorySizes: [100, 300, 1_000],
  searchedEntries: [5_000, 20_000],
  accountEntries: [1_000, 3_000, 10_000],
  accounts: [1, 2, 5],
  movedDescendants: 500,
  copiedFiles: 200,
  zippedFiles: 100,
  photos: 20,
  liveTransfers: 50,
  streams: 50,
  repeats: 5,
};
