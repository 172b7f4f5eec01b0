// S3 allows at most 10,000 parts per object, each of at least 5 MiB except the last one. A part is in memory
// until it is stored, so parts should be small.
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const MAX_PARTS = 10_000;
export const MIN_PART_BYTES = 5 * MIB;
export const MAX_PART_BYTES = 5 * GIB;

/** The maximum size of an object. */
export const MAX_OBJECT_BYTES = 5 * 1024 * GIB;

/** The smallest size that we choose for a part. */
export const PART_BYTES = 8 * MIB;

/** The size of all parts except the last, for an object of known size. */
export function evenPartBytes(size: number): number {
  return Math.max(PART_BYTES, roundUp(size / MAX_PARTS));
}

/**
 * The size of the next part of an object of unknown size. It grows with the bytes already sent: 8 MiB up to 8
 * GiB, then a thousandth of them. So memory depends on the actual size of the object, not on its limit. A
 * part never exceeds 1/5,000 of the limit, which is 1 GiB for the largest object. With these sizes an object
 * of 5 TiB has 9,876 parts.
 */
export function nextPartBytes(sentBytes: number, maxBytes: number): number {
  const largest = roundUp(Math.min(maxBytes, MAX_OBJECT_BYTES) / (MAX_PARTS / 2));
  return Math.max(PART_BYTES, Math.min(roundUp(sentBytes / 1_000), largest));
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / MIB) * MIB;
}
