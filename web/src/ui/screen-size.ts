import { useMediaQuery } from '@mantine/hooks';

// The style sheets contain copies of these conditions.

/** There is room for only one column. */
const NARROW = '(max-width: 48em)';
/**
 * The same condition as in Mantine's page frame. A tablet of exactly this width is narrow, but still shows
 * the navigation beside the page.
 */
const WIDE = '(min-width: 48em)';
/**
 * A phone in landscape: as wide as a small window, but with so little height that fingers and bars need much
 * of it. The unit is pixels, because larger text does not reduce the height of a screen. The orientation is
 * checked because the keyboard of an upright phone also reduces the height.
 */
const LOW = '(max-height: 480px) and (orientation: landscape) and (pointer: coarse)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
}

export function useIsLow(): boolean {
  return useMediaQuery(LOW, false, { getInitialValueInEffect: false }) ?? false;
}

/** Whether the user taps instead of dropping and clicking. */
export function useIsTouch(): boolean {
  return useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false }) ?? false;
}

/** Whether there is a mouse or another exact pointer, perhaps beside a touch screen. */
export function useHasMouse(): boolean {
  return useMediaQuery('(any-pointer: fine)', true, { getInitialValueInEffect: false }) ?? true;
}

/** Whether the navigation is beside the page instead of in a drawer. */
export function useHasNavigation(): boolean {
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false }) ?? true;
  const isLow = useIsLow();
  return isWide && !isLow;
}
