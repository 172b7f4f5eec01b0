import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { Turns } from '../../base/concurrency/turns.ts';
import { foldRun, foldWord, readTokens, type Token } from './tokens.ts';

/**
 * Follows a term that a text has often. Texts do not contain it, and engines keep it as a part of the term.
 */
const OFTEN_MARK = '\ue000';
/** So many times are often. */
const OFTEN = 4;

/** In UTF-8, of all different terms of one text. PostgreSQL takes at most 1,048,575. */
const MAX_TERM_BYTES = 1_000_000;
/** The rest is left for terms that a text has often. */
const MAX_DIFFERENT_BYTES = 0.9 * MAX_TERM_BYTES;

/** What the index stores about a text. */
interface TextAnalysis {
  /** Without repetitions. */
  readonly terms: readonly string[];
  /** The scores of the text for a term that it has a few times, and for one that it has often. */
  readonly onceScore: number;
  readonly oftenScore: number;
}

/** The term that is indexed in addition to a term that a text has often. */
export function toOftenTerm(term: string): string {
  return `${term}${OFTEN_MARK}`;
}

/** The terms of a token. A word is one term. A run has one for each character, and for each two neighbours. */
function toTokenTerms(text: string, { kind, start, end }: Token): readonly string[] {
  const part = text.slice(start, end);
  if (kind === 'word') {
    const term = foldWord(part);
    return term === '' ? [] : [term];
  }
  const characters = Array.from(foldRun(part));
  return [...characters, ...toPairs(characters)];
}

/** Each pair of neighbours. */
export function toPairs(characters: readonly string[]): readonly string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * Held while a text is analysed. Concurrent analyses would each take a part of every turn of the event loop.
 */
export const analyses = new Semaphore(1);

/** Analyses a text as the index needs it, after others. Lets the event loop turn meanwhile. */
export function analyseText(text: string): Promise<TextAnalysis> {
  return analyses.run(() => analyse(text));
}

async function analyse(text: string): Promise<TextAnalysis> {
  const counts = new Map<string, number>();
  const turns = new Turns();
  // The one before may have used up this turn.
  await turns.next();
  let [length, bytes] = [0, 0];
  for (const token of readTokens(text)) {
    if (turns.isOver()) await turns.next();
    const terms = toTokenTerms(text, token);
    // The pairs of a run make it no longer.
    length += Math.ceil(terms.length / 2);
    for (const term of terms) {
      const count = counts.get(term) ?? 0;
      if (count === 0) {
        const more = Buffer.byteLength(term);
        if (bytes + more > MAX_DIFFERENT_BYTES) continue;
        bytes += more;
      }
      counts.set(term, count + 1);
    }
  }
  return { terms: [...listTerms(counts, bytes)], ...toScores(length) };
}

function* listTerms(counts: ReadonlyMap<string, number>, bytes: number): Generator<string> {
  let all = bytes;
  for (const [term, count] of counts) {
    yield term;
    if (count < OFTEN) continue;
    const often = toOftenTerm(term);
    const more = Buffer.byteLength(often);
    if (all + more > MAX_TERM_BYTES) continue;
    all += more;
    yield often;
  }
}

/*
 * The relevance of BM25, with two differences. It only knows whether a text has a term a few times or often.
 * All terms weigh alike, because the weight of a term would depend on files of other people.
 */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** The number of terms of a text of usual length. */
const USUAL_LENGTH = 1_024;
/** Stands for all numbers of times that are often. */
const TYPICAL_OFTEN = 8;

/** Texts of similar length have equal scores. Their time then decides. */
function toScores(length: number): Pick<TextAnalysis, 'onceScore' | 'oftenScore'> {
  const rounded = 2 ** Math.round(Math.log2(Math.max(length, 32)));
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * rounded) / USUAL_LENGTH);
  const scoreOf = (count: number) => Math.round((1_000 * count * (SATURATION + 1)) / (count + norm));
  return { onceScore: scoreOf(1), oftenScore: scoreOf(TYPICAL_OFTEN) };
}

/** More than the score of any text. */
export const NAME_SCORE = 3_000;
