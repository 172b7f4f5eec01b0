/** Line breaks and control characters, and marks that change the direction of the text after them. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** The text in one line, so that it cannot add lines to the header of a mail. */
export function toPlainLine(text: string): string {
  return text.replace(BREAKS, ' ').trim();
}
