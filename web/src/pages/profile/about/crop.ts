/*
 * A square section of a picture. Its centre is given as fractions of width and height, and its scale relative
 * to the largest square. So it is the same for the preview and the full picture.
 */

export interface Crop {
  /** 1 for the largest square, more for smaller ones. */
  readonly zoom: number;
  /** From 0 (left) to 1. */
  readonly x: number;
  /** From 0 (top) to 1. */
  readonly y: number;
}

export const LARGEST_SQUARE: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const MAX_ZOOM = 5;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The square in pixels of the picture. */
export function squareOf(crop: Crop, { width, height }: Size): { left: number; top: number; side: number } {
  const { zoom, x, y } = clampToPicture(crop, { width, height });
  const side = Math.min(width, height) / zoom;
  return { left: x * width - side / 2, top: y * height - side / 2, side };
}

/** The nearest crop whose square is inside the picture. */
export function clampToPicture(crop: Crop, { width, height }: Size): Crop {
  const zoom = clamp(crop.zoom, 1, MAX_ZOOM);
  const half = Math.min(width, height) / zoom / 2;
  return {
    zoom,
    x: clamp(crop.x, half / width, 1 - half / width),
    y: clamp(crop.y, half / height, 1 - half / height),
  };
}

/**
 * Moves the picture under the square, by fractions of the square's side. Moving the picture right and down
 * moves the square left and up.
 */
export function drag(crop: Crop, by: { x: number; y: number }, size: Size): Crop {
  const { side } = squareOf(crop, size);
  const moved = { ...crop, x: crop.x - (by.x * side) / size.width, y: crop.y - (by.y * side) / size.height };
  return clampToPicture(moved, size);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
