/** The occurrences of a text in another, regardless of case, as the service matches them. */
export function findMatches(text: string, sought: string): readonly number[] {
  const [folded, wanted] = [text.toLowerCase(), sought.toLowerCase()];
  // A letter that becomes two when folded would shift everything after it.
  if (wanted === '' || folded.length !== text.length || wanted.length !== sought.length) return [];
  const found: number[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length))
    found.push(at);
  return found;
}
