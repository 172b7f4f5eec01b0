import { useState } from 'react';
import { readStored, writeStored } from '../../api/stored.ts';

const KEY = 'holdall.photo-size';

/** The least widths of a tile in pixels, from many small ones to one that fills a phone. */
const WIDTHS = [72, 110, 160, 240, 360] as const;
export const MAX_TILE_SIZE = WIDTHS.length - 1;
const USUAL = 1;

/** The size of the tiles that was chosen on this device, as a step from 0. */
export function useTileSize(): readonly [size: number, choose: (size: number) => void] {
  const [size, setSize] = useState(() => toTileSize(readStored(KEY)));
  const choose = (next: number) => {
    setSize(next);
    writeStored(KEY, String(next));
  };
  return [size, choose];
}

export function leastWidthOf(size: number): number {
  return WIDTHS[size] ?? WIDTHS[USUAL];
}

function toTileSize(text: string | undefined): number {
  const size = text === undefined || text === '' ? USUAL : Number(text);
  return Number.isInteger(size) && size >= 0 && size <= MAX_TILE_SIZE ? size : USUAL;
}
