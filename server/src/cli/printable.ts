/**
 * Text in which no name can change the terminal or the order of a line. Line breaks and tabs stay. The escapes are
 * those of JSON, so a line of JSON keeps its meaning.
 */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
