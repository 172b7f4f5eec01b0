/** The longest sides of the thumbnails that the service makes, in pixels. */
export type ThumbnailSize = 256 | 1024 | typeof RENDITION_SIZE;

/** The size for the preview. */
export const RENDITION_SIZE = 2048;

/** A thumbnail can be enlarged by this factor without looking blurred. */
const MAX_ENLARGEMENT = 1.25;

/**
 * The thumbnail size for an element of that size in CSS pixels.
 * @param density device pixels per CSS pixel
 */
export function thumbnailSizeFor(width: number, height: number, density: number): ThumbnailSize {
  return Math.max(width, height) * density <= 256 * MAX_ENLARGEMENT ? 256 : 1024;
}
