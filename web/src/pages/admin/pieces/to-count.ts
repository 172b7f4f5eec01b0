/** The number in an input; undefined unless it is a whole number above 0. */
export function toCount(value: number | string): number | undefined {
  const count = Number(value);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
