const USUAL_PX = 16;

let scale: number | undefined;

/**
 * Scales a length in pixels with the text size that the user has set in the browser.
 * @param px the length at normal text size
 */
export function toTextPx(px: number): number {
  scale ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX;
  return px * scale;
}
