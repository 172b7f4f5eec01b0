/** The first path segments of pages that have a name, and the parts of `/profile`. */
const PLACES = [
  'recent',
  'photos',
  'starred',
  'search',
  'shared',
  'transfer',
  'tasks',
  'bin',
  'drives',
  'profile',
  'security',
  'devices',
  'apps',
  'connect',
  'save-shared',
  'admin',
] as const;

export type Place = (typeof PLACES)[number] | 'drive';

/** The present location: one of the pages, or a directory of the drive with its name. */
type Whereabouts = { readonly place: Place } | { readonly name: string };

/** @param pathname the path of the URL, still encoded */
export function placeOf(pathname: string): Whereabouts {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const part = first === 'profile' ? (rest[0] ?? first) : first;
  const place = PLACES.find((known) => known === part);
  if (place !== undefined) return { place };
  const last = rest.at(-1);
  return last === undefined ? { place: 'drive' } : { name: decode(last) };
}

/** The key of a page's name. */
export function placeKeyOf(place: Place) {
  return place === 'shared' ? 'nav.links' : (`nav.${place}` as const);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A hand-typed URL may contain invalid encodings.
    return part;
  }
}
