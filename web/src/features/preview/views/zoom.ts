/**
 * The position of a picture in its view: the offset from the centre in pixels, and the scale relative to
 * fitting size.
 */
export interface Lie {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const FITTING: Lie = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 16;

/** @param natural the size of the picture @returns its size in the view; small pictures are not enlarged */
export function fitted(natural: Size, stage: Size): Size {
  const ratio = Math.min(1, stage.width / natural.width, stage.height / natural.height);
  return { width: natural.width * ratio, height: natural.height * ratio };
}

/** The size after a quarter of a turn. */
export function turned({ width, height }: Size): Size {
  return { width: height, height: width };
}

/**
 * @param point the point that stays in place, relative to the centre of the view
 * @param mostScale the limit of the scale
 */
export function zoomed(
  lie: Lie,
  factor: number,
  point: Point = { x: 0, y: 0 },
  mostScale: number = MAX_SCALE,
): Lie {
  const scale = Math.min(mostScale, Math.max(1, lie.scale * factor));
  const ratio = scale / lie.scale;
  return { scale, x: point.x - (point.x - lie.x) * ratio, y: point.y - (point.y - lie.y) * ratio };
}

export function panned(lie: Lie, by: Point): Lie {
  return { ...lie, x: lie.x + by.x, y: lie.y + by.y };
}

/**
 * Limits the offset so that no side has a gap that the other could fill. @param picture its size when it fits
 */
export function kept(lie: Lie, picture: Size, stage: Size): Lie {
  const most = (length: number, room: number) => Math.max(0, (length * lie.scale - room) / 2);
  return {
    scale: lie.scale,
    x: clamp(lie.x, most(picture.width, stage.width)),
    y: clamp(lie.y, most(picture.height, stage.height)),
  };
}

function clamp(value: number, most: number): number {
  // Adding 0 turns -0 into 0.
  return Math.min(most, Math.max(-most, value)) + 0;
}
