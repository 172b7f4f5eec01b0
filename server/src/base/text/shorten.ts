/** The text with at most `maxCharacters` characters. An ellipsis takes the place of what is missing. */
export function shorten(text: string, maxCharacters: number): string {
  const characters = [...text];
  if (characters.length <= maxCharacters) return text;
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
