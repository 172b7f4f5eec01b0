import { encode } from 'uqr';

/** The quiet zone that readers require: four white modules. */
export const QUIET_ZONE = 4;

/** The dark modules of a text's QR code, as an SVG path in which a module is one unit. */
export function toQrPath(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  let path = '';
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      const start = x;
      while (row[x] === true) x += 1;
      if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
    }
  }
  return { size, path };
}
