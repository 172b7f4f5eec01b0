// The floors of the web client. A file imports from its own folder and from lower floors: never sideways, never up.

/** From the lowest up. Parts in one row do not import each other. `pages/*` stands for every page. */
const FLOORS: readonly (readonly string[])[] = [
  ['api'],
  ['messages'],
  ['common'],
  ['ui'],
  ['features/account', 'features/entries', 'features/live', 'features/search'],
  ['features/shares', 'features/tasks', 'features/transfer', 'features/uploads'],
  ['features/details', 'features/sending'],
  ['features/preview'],
  ['features/drive'],
  ['shell'],
  ['pages/*'],
];

/** These build the client out of its parts. They import everything, and no other file imports them. */
const ROOT_FILES: readonly string[] = ['main.tsx', 'router.tsx', 'theme.ts', 'page.css'];
const ROOT = FLOORS.length;

/** Says why the file may not be where it is, if it may not. The path is below `web/src`. */
export function findWebPlaceFault(file: string): string | undefined {
  return floorOf(file) === -1 ? `${partOf(file)} is in no row of the table of floors` : undefined;
}

/** Says why one file may not import the other, if it may not. Paths are below `web/src`. */
export function findWebFloorFault(from: string, to: string): string | undefined {
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (fromFloor === -1 || toFloor === -1 || fromFloor === ROOT) return undefined;
  const [fromPart, toPart] = [partOf(from), partOf(to)];
  if (fromPart === toPart || toFloor < fromFloor) return undefined;
  if (toFloor === fromFloor)
    return `${toPart} and ${fromPart} are on one floor and may not import each other`;
  return `${toPart} is on a higher floor than ${fromPart}`;
}

/** The number of the floor from 0, and -1 for a file that is on none. */
function floorOf(file: string): number {
  if (ROOT_FILES.includes(file)) return ROOT;
  const part = partOf(file);
  return FLOORS.findIndex(
    (row) => row.includes(part) || (part.startsWith('pages/') && row.includes('pages/*')),
  );
}

/** The feature or the page, or else the folder: `features/drive`, `pages/bin`, `pages/tasks-page.tsx`, `ui`. */
function partOf(file: string): string {
  const names = file.split('/');
  return names.slice(0, names[0] === 'features' || names[0] === 'pages' ? 2 : 1).join('/');
}
