import { withoutAccents } from '../../common/names/normal-form.ts';

/**
 * The occurrences of words in a text, regardless of case and accents, as in the service. They may overlap.
 */
export function findMatches(text: string, words: string): readonly { at: number; length: number }[] {
  const folded = fold(text);
  // If folding turns a letter into two, all positions after it would be wrong.
  if (folded.length !== text.length) return [];
  return words
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      const wanted = fold(word);
      const found: { at: number; length: number }[] = [];
      for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length))
        found.push({ at, length: wanted.length });
      return found;
    });
}

function fold(text: string): string {
  return Array.from(text.toLowerCase(), withoutAccents).join('');
}
