import { type BitReader, damaged } from './bit-reader.ts';

/** The codes of a block of RFC 1951, section 3.2.5. */
export interface BlockCodes {
  readonly literals: CodeTable;
  readonly distances: CodeTable;
}

/** The order of the code lengths in a header (section 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

let fixed: BlockCodes | undefined;

/** The codes of blocks that do not define any (section 3.2.6). */
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

const MAX_LENGTH = 15;

/** A Huffman code (RFC 1951, section 3.2.2): maps sequences of bits to symbols. */
class CodeTable {
  /**
   * For each sequence of bits its symbol and, in the lowest 4 bits, the length of its code; 0 if it has none.
   */
  readonly #symbols: Uint16Array;
  readonly #mask: number;

  /** @param lengths the length of each symbol's code; 0 for no code @throws Error if codes overlap */
  constructor(lengths: Uint8Array) {
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    this.#symbols = new Uint16Array(1 << longest);
    this.#mask = this.#symbols.length - 1;
    const next = firstCodes(lengths);
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      const length = lengths[symbol] ?? 0;
      if (length === 0) continue;
      const code = next[length] ?? 0;
      next[length] = code + 1;
      const entry = (symbol << 4) | length;
      const step = 1 << length;
      for (let at = reverse(code, length); at < this.#symbols.length; at += step) this.#symbols[at] = entry;
    }
  }

  /** @throws Error if the bits are not a code */
  read(bits: BitReader): number {
    const entry = this.#symbols[bits.peek() & this.#mask] ?? 0;
    if (entry === 0) throw damaged();
    bits.skip(entry & 15);
    return entry >>> 4;
  }
}

/** The first code of each length. */
function firstCodes(lengths: Uint8Array): Uint32Array {
  const counts = new Uint32Array(MAX_LENGTH + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const first = new Uint32Array(MAX_LENGTH + 1);
  let code = 0;
  for (let length = 1; length <= MAX_LENGTH; length += 1) {
    code = (code + (counts[length - 1] ?? 0)) << 1;
    first[length] = code;
    if (code + (counts[length] ?? 0) > 1 << length) throw damaged();
  }
  return first;
}

/** Codes are stored with their highest bit first. */
function reverse(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit += 1) reversed |= ((code >>> bit) & 1) << (length - 1 - bit);
  return reversed;
}
