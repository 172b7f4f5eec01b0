const HIGHEST = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * The first text, in the order of code points, that follows all texts with this beginning; undefined if there
 * is none. It turns "begins with" into a range, which an index can answer.
 */
export function findPrefixEnd(beginning: string): string | undefined {
  const characters = Array.from(beginning, (character) => character.codePointAt(0) ?? 0);
  while (characters.at(-1) === HIGHEST) characters.pop();
  const last = characters.pop();
  if (last === undefined) return undefined;
  // The surrogates in between have no UTF-8 encoding.
  return String.fromCodePoint(...characters, last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1);
}
