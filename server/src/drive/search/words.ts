import { Failure } from '../../base/failure.ts';
import { MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { toPlainName } from '../../base/text/names/plain-name.ts';
import { toWordQuery, type WordQuery } from '../../content-search/content-search.ts';

/** The maximum number of characters in the text of a search. */
export const MAX_QUERY_LENGTH = 1_024;
/**
 * The maximum number of different words in a search. Each word is one more condition to check on every name.
 */
export const MAX_WORDS = 16;
/** The maximum number of different terms that a search looks for in texts: `tax-free` has two. */
export const MAX_TERMS = 64;
/**
 * A run of characters is first looked for by this many pairs. While a search has too many terms, its runs are
 * looked for by fewer.
 */
const PAIRS_OF_RUN: readonly number[] = [24, 8, 2];

/**
 * Splits a search text into the words that names must contain, in plain form and without repetitions. Returns
 * undefined if a word is longer than names can be.
 *
 * @param text at most `MAX_QUERY_LENGTH` characters
 * @throws Failure `invalid` for too many words
 */
export function toWords(text: string): readonly string[] | undefined {
  const words = [...new Set(text.split(/\s+/u))];
  if (words.some((word) => word.length > MAX_NAME_LENGTH)) return undefined;
  // A combining mark without a letter becomes empty in plain form.
  const plain = [...new Set(words.map(toPlainName))].filter((word) => word !== '');
  checkCount(plain);
  return plain;
}

/** A word of a search in names and texts. */
export interface SearchWord {
  /** What names must contain, in plain form; undefined if no name can. */
  readonly inName: string | undefined;
  /** What texts must have. */
  readonly inText: WordQuery;
}

/**
 * Splits a search text into words that names or texts must contain. No text contains words of punctuation
 * only, so they count only if there are no others.
 *
 * @param text at most `MAX_QUERY_LENGTH` characters
 * @throws Failure `invalid` for too many words or terms
 */
export function toSearchWords(text: string): readonly SearchWord[] {
  const words = [...new Set(text.split(/\s+/u))].filter((word) => word !== '');
  checkCount(words);
  const queries = toQueries(words);
  const inTexts = queries.filter(([, { terms }]) => terms.length > 0);
  return (inTexts.length > 0 ? inTexts : queries).map(([word, inText]) => {
    const plain = word.length > MAX_NAME_LENGTH ? '' : toPlainName(word);
    return { inName: plain === '' ? undefined : plain, inText };
  });
}

function toQueries(words: readonly string[]): readonly (readonly [string, WordQuery])[] {
  for (const maxPairs of PAIRS_OF_RUN) {
    const queries = words.map((word) => [word, toWordQuery(word, { maxPairs })] as const);
    if (new Set(queries.flatMap(([, { terms }]) => terms)).size <= MAX_TERMS) return queries;
  }
  throw new Failure('invalid', `A search in texts must not have more than ${MAX_TERMS} different terms.`);
}

function checkCount(words: readonly string[]): void {
  if (words.length <= MAX_WORDS) return;
  throw new Failure('invalid', `A search must not have more than ${MAX_WORDS} different words.`);
}
