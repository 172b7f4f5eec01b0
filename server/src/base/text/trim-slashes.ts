/**
 * The text without the slashes at its beginning and end. An expression such as `\/+$` would take quadratic
 * time on a long run of slashes that is not at the end.
 */
export function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}
