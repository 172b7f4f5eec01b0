/** Units of sizes: in steps of 1,000 for disks, and of 1,024 for memory. */
const UNIT_BYTES = {
  B: 1,
  MB: 1_000 ** 2,
  GB: 1_000 ** 3,
  TB: 1_000 ** 4,
  MiB: 1_024 ** 2,
  GiB: 1_024 ** 3,
  TiB: 1_024 ** 4,
} as const;

export type ByteUnit = keyof typeof UNIT_BYTES;

export const BYTE_UNITS: readonly ByteUnit[] = ['MB', 'GB', 'TB', 'MiB', 'GiB', 'TiB', 'B'];

export interface ByteAmount {
  readonly value: number;
  readonly unit: ByteUnit;
}

/** Of the units that express it exactly with few digits, the one with the smallest number of at least 1. */
export function toAmount(bytes: number): ByteAmount {
  let best: ByteAmount = { value: bytes, unit: 'B' };
  for (const unit of BYTE_UNITS) {
    const value = bytes / UNIT_BYTES[unit];
    if (value < 1 || value >= best.value) continue;
    const said = Math.round(value * 100) / 100;
    if (toBytes({ value: said, unit }) === bytes) best = { value: said, unit };
  }
  return best;
}

/** Whole bytes: a fraction of a byte is not a size. */
export function toBytes({ value, unit }: ByteAmount): number {
  return Math.round(value * UNIT_BYTES[unit]);
}
