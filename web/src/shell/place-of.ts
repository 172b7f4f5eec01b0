/** Pages that have a name of their own, by the first word of their address. */
const PLACES = ['recent', 'search', 'shared', 'transfer', 'tasks', 'bin', 'profile', 'admin'] as const;

/** Where somebody is: one of the pages, or a directory of their drive by its name. */
export type Whereabouts = { readonly place: (typeof PLACES)[number] | 'drive' } | { readonly name: string };

/** @param pathname of the address, still encoded */
export function placeOf(pathname: string): Whereabouts {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const place = PLACES.find((known) => known === first);
  if (place !== undefined) return { place };
  const last = rest.at(-1);
  return last === undefined ? { place: 'drive' } : { name: decode(last) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Somebody has written the address by hand.
    return part;
  }
}
