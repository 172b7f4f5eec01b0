const STEPS = [1, 2, 5, 10];

/** A scale of round whole numbers from 0 to the maximum or slightly more, with two to five lines. */
export function ticksUpTo(most: number): readonly number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(most, 1) / 4));
  const wanted = Math.max(most, 1) / 4;
  const step = Math.max(1, (STEPS.find((factor) => factor * size >= wanted) ?? 10) * size);
  const count = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
