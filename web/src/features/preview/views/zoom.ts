/**
 * The position of a picture in its view: the offset from the centre in pixels, and the scale relative to the
 * fitted size.
 */
export interface ViewPosition {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const FITTING: ViewPosition = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 16;

/** @param natural the size of the picture @returns its size in the view; small pictures are not enlarged */
export function fitSize(natural: Size, stage: Size): Size {
  const ratio = Math.min(1, stage.width / natural.width, stage.height / natural.height);
  return { width: natural.width * ratio, height: natural.height * ratio };
}

/** The size after a rotation by 90 degrees. */
export function turnSize({ width, height }: Size): Size {
  return { width: height, height: width };
}

/**
 * @param point the point that stays in place, relative to the centre of the view
 * @param mostScale the maximum scale
 */
export function zoomed(
  position: ViewPosition,
  factor: number,
  point: Point = { x: 0, y: 0 },
  mostScale: number = MAX_SCALE,
): ViewPosition {
  const scale = Math.min(mostScale, Math.max(1, position.scale * factor));
  const ratio = scale / position.scale;
  return { scale, x: point.x - (point.x - position.x) * ratio, y: point.y - (point.y - position.y) * ratio };
}

export function panned(position: ViewPosition, by: Point): ViewPosition {
  return { ...position, x: position.x + by.x, y: position.y + by.y };
}

/**
 * Limits the offset: a picture larger than the view leaves no gap at any side, and a smaller one is centred.
 * @param picture the size of the picture when it fits the view
 */
export function limitToStage(position: ViewPosition, picture: Size, stage: Size): ViewPosition {
  const maxOffset = (length: number, room: number) => Math.max(0, (length * position.scale - room) / 2);
  return {
    scale: position.scale,
    x: clamp(position.x, maxOffset(picture.width, stage.width)),
    y: clamp(position.y, maxOffset(picture.height, stage.height)),
  };
}

function clamp(value: number, maxOffset: number): number {
  // Adding 0 turns -0 into 0.
  return Math.min(maxOffset, Math.max(-maxOffset, value)) + 0;
}
