const MIB = 1024 * 1024;

/** How much work each case does. */
export interface Scale {
  /** Every figure is the median of this many runs. */
  readonly runs: number;
  /** The duration of a run that counts requests. */
  readonly seconds: number;
  readonly uploads: number;
  readonly bigFileBytes: number;
  readonly rangedFileBytes: number;
  /** The sizes of the listed directories, in entries: small, medium, large. */
  readonly directorySizes: readonly [number, number, number];
  /** The approximate sizes of the searched drives, in entries. */
  readonly searchedEntries: readonly [number, number];
  /** The number of searched texts. */
  readonly texts: number;
  readonly zippedFiles: number;
  /** How many times a single operation is repeated in a run, for its median time. */
  readonly repeats: number;
}

export const FULL: Scale = {
  runs: 5,
  seconds: 3,
  uploads: 2_000,
  bigFileBytes: 1_024 * MIB,
  rangedFileBytes: 64 * MIB,
  directorySizes: [1_000, 10_000, 100_000],
  searchedEntries: [50_000, 1_000_000],
  texts: 100_000,
  zippedFiles: 1_000,
  repeats: 20,
};

/** A quick run to check that everything works. Its figures are not compared with the goals. */
export const QUICK: Scale = {
  runs: 1,
  seconds: 0.5,
  uploads: 200,
  bigFileBytes: 64 * MIB,
  rangedFileBytes: 8 * MIB,
  directorySizes: [100, 300, 1_000],
  searchedEntries: [5_000, 20_000],
  texts: 300,
  zippedFiles: 100,
  repeats: 5,
};
