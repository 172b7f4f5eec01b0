// Every part of an object but the last has at least 5 MiB, and there are at most 10,000 of them. A part is held in
// memory until the store has it.
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const MAX_PARTS = 10_000;
export const MIN_PART_BYTES = 5 * MIB;
export const MAX_PART_BYTES = 5 * GIB;

/** The most that one object may have. */
export const MAX_OBJECT_BYTES = 5 * 1024 * GIB;

/** What a part has as long as nothing else is said. */
export const PART_BYTES = 8 * MIB;

/** The size of all parts (but the last) of an object whose size is known. */
export function evenPartBytes(size: number): number {
  return Math.max(PART_BYTES, roundUp(size / MAX_PARTS));
}

/**
 * The size of the next part of an object whose end is not in sight. It follows what has been sent: 8 MiB up to 8 GiB,
 * then a thousandth of it, so that memory grows with the object and not with what it might become; but never
 * more than the 5,000th part of what may come, 1 GiB at most. 5 TiB need 9,876 parts so.
 */
export function nextPartBytes(sent: number, mayCome: number): number {
  const most = roundUp(Math.min(mayCome, MAX_OBJECT_BYTES) / (MAX_PARTS / 2));
  return Math.max(PART_BYTES, Math.min(roundUp(sent / 1_000), most));
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / MIB) * MIB;
}
