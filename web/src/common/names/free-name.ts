/** The first free name of the form "letter (2).pdf". */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const { stem, number, ending } = parse(name);
  for (let next = number + 1; ; next += 1) {
    const candidate = `${shorten(stem, ` (${next})${ending}`)} (${next})${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** The common prefix of all names that {@link freeName} may return. */
export function stemOf(name: string): string {
  return parse(name).stem;
}

const MAX_BYTES = 255;
/** The extension, which may have two parts as in "backup.tar.gz". */
const ENDING = /(?:\.tar)?\.[^. ]{1,12}$/;

function parse(name: string): { stem: string; number: number; ending: string } {
  // A name whose only dot is at its beginning has no extension.
  const ending = ENDING.exec(name.slice(1))?.[0] ?? '';
  const rest = name.slice(0, name.length - ending.length);
  const counted = /^(.+) \((\d{1,6})\)$/.exec(rest);
  if (counted?.[1] === undefined) return { stem: rest, number: 1, ending };
  return { stem: counted[1], number: Math.max(1, Number(counted[2])), ending };
}

/** Shortens the name to leave room for the suffix. */
function shorten(stem: string, behind: string): string {
  const encoder = new TextEncoder();
  const room = MAX_BYTES - encoder.encode(behind).length;
  let letters = [...stem];
  while (letters.length > 1 && encoder.encode(letters.join('')).length > room) letters = letters.slice(0, -1);
  return letters.join('');
}
