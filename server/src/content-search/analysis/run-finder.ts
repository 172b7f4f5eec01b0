import { foldRun, locateRun, startOfLastCharacter, type Token } from './tokens.ts';

// The web client shares this file.

export interface Hit {
  /** The positions in the text, in code units. */
  readonly start: number;
  readonly end: number;
  /** The word or the run that was found. */
  readonly needle: string;
}

/** A part of a run in the text. */
interface Piece {
  /** The position of its first unit in the folded run. */
  readonly at: number;
  readonly folded: string;
  /** The position in the text. */
  readonly start: number;
  readonly raw: string;
  /** Set once a hit begins or ends in the piece, so each character is located once. */
  located?: ReturnType<typeof locateRun>;
}

/**
 * Finds runs in a text, whose long runs are read in parts. Takes as long for a long needle as for a short one
 * (Knuth, Morris and Pratt).
 */
export class RunFinder {
  readonly #text: string;
  readonly #needles: readonly Needle[];
  readonly #longest: number;
  /** The end of the run, as far back as hits may begin. */
  #pieces: Piece[] = [];
  /** The length of the folded run. */
  #length = 0;
  /** Where the rest begins: the last character may continue in the next part. */
  #rest = 0;

  /** @param runs as `foldRun` returns them, not empty */
  constructor(text: string, runs: readonly string[]) {
    this.#text = text;
    this.#needles = Array.from(new Set(runs), (run) => new Needle(run));
    this.#longest = Math.max(0, ...runs.map((run) => run.length));
  }

  /** The hits that end in a run. Those of different needles may overlap. It must get all runs in order. */
  find({ start, end, repeated }: Token): readonly Hit[] {
    if (this.#needles.length === 0) return [];
    if (repeated === 0) this.#begin(start);
    const last = startOfLastCharacter(this.#text, this.#rest, end);
    const piece = this.#toPiece(this.#rest, last);
    this.#rest = last;
    this.#length += piece.folded.length;
    this.#keep(piece);
    const tail = this.#toPiece(last, end);
    const pieces = [...this.#pieces, tail];
    return this.#needles.flatMap((needle) => [
      ...needle.read(piece, pieces),
      ...needle.readAhead(tail, pieces),
    ]);
  }

  #begin(start: number): void {
    [this.#pieces, this.#length, this.#rest] = [[], 0, start];
    for (const needle of this.#needles) needle.begin();
  }

  #toPiece(start: number, end: number): Piece {
    const raw = this.#text.slice(start, end);
    return { at: this.#length, folded: foldRun(raw), start, raw };
  }

  #keep(piece: Piece): void {
    if (piece.folded === '') return;
    const first = piece.at - this.#longest;
    this.#pieces = this.#pieces.filter(({ at, folded }) => at + folded.length > first);
    this.#pieces.push(piece);
  }
}

class Needle {
  readonly #needle: string;
  /** For each length of a match, the length of the next shorter match at its end. */
  readonly #shorter: Uint16Array;
  /** How much of the needle matches the end of the run. */
  #matched = 0;
  /** Where the last hit ends in the text. */
  #end = 0;

  constructor(needle: string) {
    this.#needle = needle;
    this.#shorter = new Uint16Array(needle.length + 1);
    let matched = 0;
    for (let at = 1; at < needle.length; at += 1) {
      matched = this.#extend(matched, needle.charCodeAt(at));
      this.#shorter[at + 1] = matched;
    }
  }

  begin(): void {
    this.#matched = 0;
  }

  /** The hits that end in a piece, and do not overlap with those before. */
  read({ at, folded }: Piece, pieces: readonly Piece[]): readonly Hit[] {
    const hits: Hit[] = [];
    for (let unit = 0; unit < folded.length; unit += 1) {
      this.#matched = this.#extend(this.#matched, folded.charCodeAt(unit));
      if (this.#matched < this.#needle.length) continue;
      const start = locate(pieces, at + unit + 1 - this.#needle.length).start;
      const isNew = start >= this.#end;
      this.#matched = isNew ? 0 : (this.#shorter[this.#matched] ?? 0);
      if (!isNew) continue;
      this.#end = locate(pieces, at + unit).end;
      hits.push({ start, end: this.#end, needle: this.#needle });
    }
    return hits;
  }

  /** As {@link read}, for a piece that is read again with more after it. */
  readAhead(piece: Piece, pieces: readonly Piece[]): readonly Hit[] {
    const matched = this.#matched;
    const hits = this.read(piece, pieces);
    this.#matched = matched;
    return hits;
  }

  #extend(matched: number, unit: number): number {
    let length = matched;
    while (length > 0 && this.#needle.charCodeAt(length) !== unit) length = this.#shorter[length] ?? 0;
    return this.#needle.charCodeAt(length) === unit ? length + 1 : length;
  }
}

/** Where the character of a unit of the folded run is in the text. */
function locate(pieces: readonly Piece[], position: number): Pick<Hit, 'start' | 'end'> {
  const piece = pieces.findLast(({ at }) => at <= position);
  if (piece === undefined) return { start: 0, end: 0 };
  piece.located ??= locateRun(piece.raw);
  const unit = position - piece.at;
  const { starts, ends } = piece.located;
  return {
    start: piece.start + (starts[unit] ?? 0),
    end: piece.start + (ends[unit] ?? piece.raw.length),
  };
}
