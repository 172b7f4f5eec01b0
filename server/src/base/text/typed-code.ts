/** What phones and chats put into or around a code: blanks, punctuation, and characters that nobody sees. */
const SEPARATORS = /[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The symbols of a code that a person typed or pasted: of usual width, and without separators. */
export function toSymbols(text: string): string {
  return text.normalize('NFKC').replaceAll(SEPARATORS, '');
}
