import { Failure } from '../../base/failure.ts';
import { MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { toPlainName } from '../../base/text/names/plain-name.ts';

/** The maximum number of characters in the text of a search. */
export const MAX_QUERY_LENGTH = 1_024;
/**
 * The maximum number of different words in a search. Each word is one more condition to check on every name.
 */
export const MAX_WORDS = 16;

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
  if (plain.length > MAX_WORDS) {
    throw new Failure('invalid', `A search must not have more than ${MAX_WORDS} different words.`);
  }
  return plain;
}
