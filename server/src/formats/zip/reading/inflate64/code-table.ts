import { type BitReader, damaged } from './bit-reader.ts';

const MAX_LENGTH = 15;

/** A Huffman code of RFC 1951, section 3.2.2: what each sequence of bits stands for. */
export class CodeTable {
  /** For each sequence of bits the symbol and, in the lowest 4 bits, how many of the bits are its code; or 0. */
  readonly #symbols: Uint16Array;
  readonly #mask: number;

  /** @param lengths of the code of each symbol; 0 for none @throws Error if codes overlap */
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

  /** @throws Error for bits that are no code */
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
