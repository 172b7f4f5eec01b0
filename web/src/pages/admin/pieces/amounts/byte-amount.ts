/** Units are multiples of 1,000, as everywhere in the client. */
const UNIT_BYTES = {
  B: 1,
  kB: 1_000,
  MB: 1_000 ** 2,
  GB: 1_000 ** 3,
  TB: 1_000 ** 4,
} as const;

export type ByteUnit = keyof typeof UNIT_BYTES;

/** From the largest to the smallest. */
const DESCENDING: readonly ByteUnit[] = ['TB', 'GB', 'MB', 'kB', 'B'];

export const BYTE_UNITS: readonly ByteUnit[] = ['MB', 'GB', 'TB', 'kB', 'B'];

/** The maximum number of decimals before the unit. */
export const AMOUNT_DECIMALS = 3;

export interface ByteAmount {
  readonly value: number;
  readonly unit: ByteUnit;
}

/** The rounded size in the largest unit that does not exceed it. */
export function toAmount(bytes: number): ByteAmount {
  const unit = DESCENDING.find((each) => bytes >= UNIT_BYTES[each]) ?? 'B';
  return { value: Number((bytes / UNIT_BYTES[unit]).toFixed(AMOUNT_DECIMALS)), unit };
}

/**
 * Converts an amount to whole bytes.
 *
 * @param known the size that was shown: if the amount is unchanged, this exact number of bytes is returned,
 * although the amount may be rounded
 */
export function toBytes({ value, unit }: ByteAmount, known: number): number {
  const shown = toAmount(known);
  return value === shown.value && unit === shown.unit ? known : Math.round(value * UNIT_BYTES[unit]);
}
