import { useMediaQuery } from '@mantine/hooks';

// The style sheets repeat these conditions.

/** There is room for one column. */
const NARROW = '(max-width: 48em)';
/**
 * As Mantine's frame of the page: a tablet of this width is narrow, and still has the navigation beside the
 * page.
 */
const WIDE = '(min-width: 48em)';
/**
 * A phone in landscape: as wide as a small window, but low, and fingers and bars need much of its height. In
 * pixels: larger text does not make a screen lower. A keyboard over the page of an upright phone does not
 * turn it.
 */
const LOW = '(max-height: 480px) and (orientation: landscape) and (pointer: coarse)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
}

export function useIsLow(): boolean {
  return useMediaQuery(LOW, false, { getInitialValueInEffect: false }) ?? false;
}

/** Whether the navigation is beside the page, and not in a drawer. */
export function useHasNavigation(): boolean {
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false }) ?? true;
  const isLow = useIsLow();
  return isWide && !isLow;
}
