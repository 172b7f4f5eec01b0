// The floors of the server. A file imports from its own folder and from lower floors, never from the same or
// a higher floor.

/** The folders of each floor, from the lowest floor up. Folders in one row do not import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['base'],
  ['config', 'database', 'storage', 'http', 'formats', 'child-processes'],
  // Settings and policies that admins change. The features above read them.
  ['settings', 'policies'],
  ['audit', 'activity', 'events', 'blobs', 'site', 'limits', 'leases', 'job-runs', 'mail'],
  ['thumbnails', 'texts', 'notifications'],
  ['accounts', 'releases', 'content-search', 'instance'],
  ['drives', 'links'],
  ['drive'],
  ['uploads', 'shares', 'tasks'],
  ['dav', 'folder-links', 'transfer'],
  ['admin', 'doctor', 'backup'],
];

/** The composition root. It may import from all floors. */
const ROOT_FOLDERS: readonly string[] = ['app', 'cli'];
const ROOT_FILES: readonly string[] = ['main.mjs'];
const ROOT = FLOORS.length;

/** From this floor up, a folder is a feature, and other features may import only its face. */
const FIRST_FEATURE_FLOOR = FLOORS.findIndex((folders) => folders.includes('settings'));
const FIRST_FLOOR_THAT_EMBEDS_CONTRACTS = FLOORS.findIndex((folders) => folders.includes('admin'));

/** Says why the file may not be where it is; undefined if it may. The path is relative to `server/src`. */
export function findPlaceFault(file: string): string | undefined {
  if (floorOf(file) !== undefined) return undefined;
  const folder = folderOf(file);
  if (folder === '') return `${file} is not one of the files that may be in src itself`;
  return `the folder ${folder} is in no row of the table of floors`;
}

/** Says why one file may not import the other; undefined if it may. Paths are relative to `server/src`. */
export function findFloorFault(from: string, to: string): string | undefined {
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (fromFloor === undefined || toFloor === undefined) return undefined;
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === toFolder || fromFloor === ROOT) return undefined;
  if (toFloor > fromFloor) return `${toFolder || to} is on a higher floor than ${fromFolder}`;
  if (toFloor === fromFloor)
    return `${toFolder} and ${fromFolder} are on one floor and may not import each other`;
  if (toFloor < FIRST_FEATURE_FLOOR || to === faceOf(toFolder)) return undefined;
  if (to === `${toFolder}/contract.ts` && mayEmbedContracts(from, fromFloor)) return undefined;
  return `only the face of another feature, ${faceOf(toFolder)}, may be imported`;
}

/**
 * Schemas and routes may embed the schemas of other features. On the floor of the administration, every file
 * may.
 */
function mayEmbedContracts(from: string, fromFloor: number): boolean {
  return fromFloor >= FIRST_FLOOR_THAT_EMBEDS_CONTRACTS || /(?:^|[/-])(?:contract|routes)\.ts$/.test(from);
}

function floorOf(file: string): number | undefined {
  const folder = folderOf(file);
  if (folder === '') return ROOT_FILES.includes(file.replace(/\.test\.ts$/, '.ts')) ? ROOT : undefined;
  if (ROOT_FOLDERS.includes(folder)) return ROOT;
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  return floor < 0 ? undefined : floor;
}

function folderOf(file: string): string {
  const [folder = '', ...rest] = file.split('/');
  return rest.length === 0 ? '' : folder;
}

function faceOf(folder: string): string {
  return `${folder}/${folder}.ts`;
}
