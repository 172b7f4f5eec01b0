import type { IndexTerm } from '../../database/text-index.ts';
import { toPairs } from './terms.ts';
import { type TextQuery, toTextQuery } from './text-hits.ts';

/** More pairs would hardly narrow down the result. What they leave is compared with the text itself. */
const MAX_PAIRS_OF_RUN = 24;
/** Runs of up to two characters are terms of the index themselves. */
const MAX_EXACT_RUN = 2;

/** What a word of a search looks for in texts. One without terms is found in no text. */
export interface WordQuery extends TextQuery {
  /** Different terms that the index finds; a text must have all of them. */
  readonly terms: readonly IndexTerm[];
}

/**
 * @param word without white space, but possibly with several words in other respects, such as `tax-free`
 * @param options.maxPairs of each run, at least 1
 */
export function toWordQuery(word: string, { maxPairs = MAX_PAIRS_OF_RUN } = {}): WordQuery {
  const { words, runs } = toTextQuery(word);
  const terms = new Set([...words, ...runs.flatMap((run) => toRunTerms(run, maxPairs))]);
  return { terms: [...terms], words, runs };
}

function toRunTerms(run: string, maxPairs: number): readonly IndexTerm[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return [...new Set(toPairs(characters))].slice(0, maxPairs);
}

/** The runs that texts with all of the terms may lack, because the pairs of characters are apart. */
export function listUncertainRuns(queries: readonly WordQuery[]): readonly string[] {
  return queries.flatMap(({ runs }) => runs.filter((run) => Array.from(run).length > MAX_EXACT_RUN));
}
