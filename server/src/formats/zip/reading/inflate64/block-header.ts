import { type BitReader, damaged } from './bit-reader.ts';
import { CodeTable } from './code-table.ts';

/** The codes of a block of RFC 1951, section 3.2.5. */
export interface BlockCodes {
  readonly literals: CodeTable;
  readonly distances: CodeTable;
}

/** The order in which a header has the lengths (section 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

let fixed: BlockCodes | undefined;

/** The codes of blocks that have none of their own (section 3.2.6). */
export function getFixedCodes(): BlockCodes {
  fixed ??= {
    literals: new CodeTable(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)),
    distances: new CodeTable(new Uint8Array(32).fill(5)),
  };
  return fixed;
}

/** Reads the codes of a block (section 3.2.7). @throws Error if they are damaged */
export function readCodes(bits: BitReader): BlockCodes {
  const literalCount = bits.read(5) + 257;
  const distanceCount = bits.read(5) + 1;
  const orderCount = bits.read(4) + 4;
  const lengthsOfLengths = new Uint8Array(19);
  for (const symbol of ORDER.slice(0, orderCount)) lengthsOfLengths[symbol] = bits.read(3);
  const lengths = readLengths(bits, new CodeTable(lengthsOfLengths), literalCount + distanceCount);
  return {
    literals: new CodeTable(lengths.subarray(0, literalCount)),
    distances: new CodeTable(lengths.subarray(literalCount)),
  };
}

function readLengths(bits: BitReader, table: CodeTable, count: number): Uint8Array {
  const lengths = new Uint8Array(count);
  for (let at = 0; at < count; ) {
    const symbol = table.read(bits);
    const previous = lengths[at - 1];
    if (symbol < 16) {
      lengths[at] = symbol;
      at += 1;
      continue;
    }
    if (symbol === 16 && previous === undefined) throw damaged();
    const [value, repeats] = repetitionOf(symbol, bits, previous ?? 0);
    if (at + repeats > count) throw damaged();
    lengths.fill(value, at, at + repeats);
    at += repeats;
  }
  return lengths;
}

function repetitionOf(symbol: number, bits: BitReader, previous: number): readonly [number, number] {
  if (symbol === 16) return [previous, 3 + bits.read(2)];
  return symbol === 17 ? [0, 3 + bits.read(3)] : [0, 11 + bits.read(7)];
}
