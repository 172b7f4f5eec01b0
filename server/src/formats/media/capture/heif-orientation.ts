import type { RangedBytes } from '../../ranged-bytes.ts';
import { boxesIn, findInside, readTopBox } from '../boxes.ts';

/** EXIF orientations by quarter turns clockwise. `MIRRORED` ones are first mirrored left to right. */
const UPRIGHT = [1, 6, 3, 8];
const MIRRORED = [2, 7, 4, 5];

/**
 * The orientation that the properties of the primary picture define. `irot` turns it counter-clockwise by
 * quarters, `imir` mirrors it at an axis, in the order of the list. Decoders follow these properties instead
 * of EXIF. Undefined if there are none.
 */
export async function findHeifOrientation(bytes: RangedBytes): Promise<number | undefined> {
  const meta = (await readTopBox(bytes, 'meta'))?.subarray(4);
  const primary = meta && findInside(meta, ['pitm']);
  const associations = meta && findInside(meta, ['iprp', 'ipma']);
  const properties = meta && findInside(meta, ['iprp', 'ipco']);
  if (primary === undefined || associations === undefined || properties === undefined) return undefined;
  if (primary.length < 6 || (primary[0] !== 0 && primary.length < 8)) return undefined;
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4);
  const boxes = [...boxesIn(properties)];
  let [quarters, isMirrored, isFound] = [0, false, false];
  for (const number of findProperties(associations, id)) {
    const { type, content } = boxes[number - 1] ?? { type: '', content: Buffer.alloc(0) };
    const value = content[0] ?? 0;
    if (type !== 'irot' && type !== 'imir') continue;
    isFound = true;
    if (type === 'irot') quarters -= value & 3;
    else {
      // Axis 0 swaps top and bottom, which is the same as mirroring left to right and a half turn.
      quarters = -quarters + ((value & 1) === 0 ? 2 : 0);
      isMirrored = !isMirrored;
    }
  }
  return isFound ? (isMirrored ? MIRRORED : UPRIGHT)[((quarters % 4) + 4) % 4] : undefined;
}

/** The numbers of an item's properties, counted from 1. */
function findProperties(content: Buffer, wantedId: number): readonly number[] {
  if (content.length < 8) return [];
  const idBytes = content[0] === 0 ? 2 : 4;
  const numberBytes = ((content[3] ?? 0) & 1) === 0 ? 1 : 2;
  const itemCount = content.readUInt32BE(4);
  for (let at = 8, index = 0; index < itemCount && at + idBytes + 1 <= content.length; index += 1) {
    const id = content.readUIntBE(at, idBytes);
    const count = content[at + idBytes] ?? 0;
    const start = at + idBytes + 1;
    at = start + count * numberBytes;
    if (at > content.length) return [];
    if (id !== wantedId) continue;
    // The highest bit is not part of the number: it says whether the property is essential.
    return Array.from({ length: count }, (_, each) =>
      numberBytes === 1
        ? (content[start + each] ?? 0) & 0x7f
        : content.readUInt16BE(start + each * 2) & 0x7fff,
    );
  }
  return [];
}
