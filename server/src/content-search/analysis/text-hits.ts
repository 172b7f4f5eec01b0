import { isAscii } from '../../base/text/names/accents.ts';
import { type Hit, RunFinder } from './run-finder.ts';
import { foldRun, foldWord, MAX_WORD_LENGTH, readTokens, type Token } from './tokens.ts';

export type { Hit };

// The web client shares this file, so it opens a file at the passage that the search shows.

/** What is looked for in a text. */
export interface TextQuery {
  /** Words as {@link foldWord} returns them. */
  readonly words: readonly string[];
  /** Runs as {@link foldRun} returns them. */
  readonly runs: readonly string[];
}

/** Splits a search text. */
export function toTextQuery(text: string): TextQuery {
  const words: string[] = [];
  const runs: string[] = [];
  for (const { kind, start, end, repeated } of readTokens(text)) {
    const part = text.slice(start, end);
    if (kind === 'word') words.push(foldWord(part));
    else if (repeated > 0) runs.push(`${runs.pop() ?? ''}${part.slice(repeated)}`);
    else runs.push(part);
  }
  return { words: words.filter(isSomething), runs: runs.map(foldRun).filter(isSomething) };
}

function isSomething(folded: string): boolean {
  return folded !== '';
}

const NONE: readonly Hit[] = [];

/** Finds the hits in the tokens of a text. */
export class HitFinder {
  readonly #text: string;
  readonly #words: ReadonlySet<string>;
  readonly #lengths: ReadonlySet<number>;
  readonly #runs: RunFinder;

  constructor(text: string, { words, runs }: TextQuery) {
    this.#text = text;
    this.#words = new Set(words);
    this.#lengths = new Set(words.map((word) => word.length));
    this.#runs = new RunFinder(text, runs);
  }

  /** The hits that end in a token. Those of different runs may overlap. It must get all tokens in order. */
  find(token: Token): readonly Hit[] {
    if (token.kind === 'word') return this.#words.size === 0 ? NONE : this.#findWord(token);
    return this.#runs.find(token);
  }

  #findWord({ start, end }: Token): readonly Hit[] {
    const part = this.#text.slice(start, end);
    // Folding does not change the length of ASCII.
    if (!this.#lengths.has(Math.min(part.length, MAX_WORD_LENGTH)) && isAscii(part)) return NONE;
    const needle = foldWord(part);
    return this.#words.has(needle) ? [{ start, end, needle }] : NONE;
  }
}

/** Once there is a hit, the rest of a long text is not searched for better ones. */
const MAX_SEARCHED = 256 * 1_024;
const MAX_HITS = 1_000;

/** Whether the best hit is chosen among those found before a position. */
export function isEnough(hits: number, position: number): boolean {
  return hits > 0 && (position > MAX_SEARCHED || hits >= MAX_HITS);
}

/** Hits are only compared within this distance, because a snippet can show them together. */
export const MAX_SPAN = 140;

/** The hit that is followed by the most different ones; the first of several. @param hits in order */
export function findBestHit<H extends Hit>(hits: readonly H[]): H | undefined {
  let best: H | undefined;
  let most = 0;
  for (const [index, hit] of hits.entries()) {
    const count = countNeedles(hits, index);
    if (best === undefined || count > most) [best, most] = [hit, count];
  }
  return best;
}

/** How many different needles are found soon after the start of a hit, itself included. */
export function countNeedles(hits: readonly Hit[], index: number): number {
  const found = new Set<string>();
  const first = hits[index]?.start ?? 0;
  for (let next = index; next < hits.length; next += 1) {
    const other = hits[next];
    if (other === undefined || other.end > first + MAX_SPAN) break;
    found.add(other.needle);
  }
  return found.size;
}
