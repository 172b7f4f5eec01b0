/** What phones and chats add to a code: blanks, punctuation and invisible characters. */
const SEPARATORS = /[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Letters, digits and signs of full width, as keyboards of East Asia type them. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDTH_DISTANCE = 0xfee0;

/** The symbols of a code that a person typed or pasted: of usual width, and without separators. */
export function toSymbols(text: string): string {
  return text
    .replaceAll(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDTH_DISTANCE))
    .replaceAll(SEPARATORS, '');
}
