const USUAL_PX = 16;

let scale: number | undefined;

/**
 * The height of a row of text in pixels: more than usual for a user who has set larger text in the browser.
 * @param px with text of the usual size
 */
export function toTextPx(px: number): number {
  scale ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX;
  return px * scale;
}
