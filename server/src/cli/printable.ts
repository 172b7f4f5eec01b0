import { escapeUnit } from '../base/text/escapes.ts';

/**
 * Text in which no name can change the terminal or the order of a line. Line breaks and tabs stay. The escapes are
 * those of JSON, so a line of JSON keeps its meaning.
 */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, escapeUnit);
}
