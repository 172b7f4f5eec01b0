/** What phones and chats add to a code: blanks, punctuation and invisible characters. */
const SEPARATORS = /[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Full-width letters, digits and signs, as East Asian keyboards type them. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDTH_DISTANCE = 0xfee0;

/** The symbols of a code that a person typed or pasted, in normal width and without separators. */
export function toSymbols(text: string): string {
  return text
    .replaceAll(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDTH_DISTANCE))
    .replaceAll(SEPARATORS, '');
}
