/** Ids of the examples of operations. Tests replace them with ids of things that exist. */
export const EXAMPLE = {
  file: 1_000_001,
  directory: 1_000_002,
  share: 1_000_003,
} as const;
