import { toNormalForm } from './normal-form.ts';

// The web client shares this file.

/**
 * The blocks of diacritical marks. The marks of other blocks are parts of letters, such as the vowel signs of
 * Indic scripts and the voicing marks of Japanese, and a word without them is another word.
 */
const DIACRITICAL_MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f]/g;

/** Small letters that have no decomposition, and how people write them without their accent. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ŧ: 't',
  ſ: 's',
};
const UNDECOMPOSED_LETTERS = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'g');

/** More than the length of any folded name, and of any folded part of a text. */
const MAX_FOLDED_LENGTH = 2_500;

/**
 * A folded text without accents: `é` is `e`, `ß` is `ss`.
 *
 * @throws Error for text that is longer than folded names can be
 */
export function withoutAccents(folded: string): string {
  if (isAscii(folded)) return folded;
  const decomposed = toNormalForm(folded, MAX_FOLDED_LENGTH, 'NFD');
  if (decomposed === undefined) throw new Error('The text is longer than folded names can be.');
  const bare = decomposed
    .replace(DIACRITICAL_MARKS, '')
    .replace(UNDECOMPOSED_LETTERS, (letter) => UNDECOMPOSED[letter] ?? letter);
  // Removing marks and replacing letters makes text at most twice as long as before.
  return toNormalForm(bare, 2 * decomposed.length) ?? bare;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\u0000-\u007f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
