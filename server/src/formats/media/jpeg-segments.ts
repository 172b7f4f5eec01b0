import type { RangedBytes } from '../ranged-bytes.ts';

/** A segment of a JPEG: its marker, and the position of its content in the file. */
interface JpegSegment {
  readonly marker: number;
  readonly start: number;
  /** As declared: it may be longer than the file. */
  readonly length: number;
}

/** The maximum number of segments, including fill bytes between them. */
const MAX_STEPS = 2_000;

/** The next marker after stray bytes is searched in pieces of this length. */
const SEARCH_BYTES = 4_096;

/** The segments before the first scan. Compressed data of unknown length follows the scan. */
export async function* jpegSegments(bytes: RangedBytes): AsyncGenerator<JpegSegment> {
  for (let place = 2, steps = 0; steps < MAX_STEPS; steps += 1) {
    const head = await bytes.read(place, 4);
    if (head === undefined || head.length < 4) return;
    const [first = 0, marker = 0, high = 0, low = 0] = head;
    // Like decoders, skips everything that is not a marker.
    if (first !== 0xff || marker === 0x00) {
      const searched = await bytes.read(place + 1, SEARCH_BYTES);
      if (searched === undefined || searched.length === 0) return;
      const found = searched.indexOf(0xff);
      place += 1 + (found < 0 ? searched.length : found);
    } else if (marker === 0xff) place += 1;
    else if (marker === 0xda || marker === 0xd9) return;
    else if (hasNoLength(marker)) place += 2;
    else {
      const length = high * 256 + low;
      yield { marker, start: place + 4, length: Math.max(0, length - 2) };
      place += 2 + length;
    }
  }
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
