/** The longest sides of the thumbnails that the service makes, in pixels. */
export type ThumbnailSize = 256 | 1024 | typeof RENDITION_SIZE;

/** The size for viewers. */
export const RENDITION_SIZE = 2048;

/** A thumbnail that is this much smaller than its place does not look blurred. */
const STRETCH = 1.25;

/**
 * The thumbnail for a place of that size, in pixels of the page.
 * @param density pixels of the screen for each pixel of the page
 */
export function thumbnailSizeFor(width: number, height: number, density: number): ThumbnailSize {
  return Math.max(width, height) * density <= 256 * STRETCH ? 256 : 1024;
}
