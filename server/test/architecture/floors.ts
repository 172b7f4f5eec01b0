// The floors of the house. A file imports from its own folder and from lower floors: never sideways, never up.

/** From the ground up; folders in one row know nothing of each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['base'],
  ['config', 'database', 'storage', 'http', 'formats'],
  // A step of its own: what an admin may change is asked for by the rows above.
  ['settings', 'policies'],
  ['audit', 'activity', 'events', 'blobs', 'site', 'limits', 'leases'],
  ['tickets'],
  ['accounts', 'releases'],
  ['drive'],
  ['uploads', 'shares', 'transfer', 'tasks'],
  ['admin', 'doctor', 'backup'],
];

/** The composition root: it knows all floors. */
const ROOF_FOLDERS: readonly string[] = ['app', 'cli'];
const ROOF_FILES: readonly string[] = ['main.ts'];
const ROOF = FLOORS.length;

/** From this floor on a folder is a feature, and others see its face only. */
const FIRST_FEATURE_FLOOR = FLOORS.findIndex((folders) => folders.includes('settings'));
const FIRST_FLOOR_THAT_EMBEDS_CONTRACTS = FLOORS.findIndex((folders) => folders.includes('admin'));

/** Why the file may not be where it is; undefined where it may. The path is below `server/src`. */
export function findPlaceFault(file: string): string | undefined {
  if (floorOf(file) !== undefined) return undefined;
  const folder = folderOf(file);
  if (folder === '') return `${file} does not belong to the files that may lie in src itself`;
  return `the folder ${folder} is in no row of the table of floors`;
}

/** Why one file may not import the other; undefined where it may. Paths are below `server/src`. */
export function findFloorFault(from: string, to: string): string | undefined {
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (fromFloor === undefined || toFloor === undefined) return undefined;
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === toFolder || fromFloor === ROOF) return undefined;
  if (toFloor > fromFloor) return `${toFolder || to} lies on a higher floor than ${fromFolder}`;
  if (toFloor === fromFloor)
    return `${toFolder} and ${fromFolder} lie on one floor and may not know each other`;
  if (toFloor < FIRST_FEATURE_FLOOR || to === faceOf(toFolder)) return undefined;
  if (to === `${toFolder}/contract.ts` && mayEmbedContracts(from, fromFloor)) return undefined;
  return `another feature is seen through its face ${faceOf(toFolder)} only`;
}

/** Shapes may be embedded in shapes; all of them by the floor that shows everything. */
function mayEmbedContracts(from: string, fromFloor: number): boolean {
  return fromFloor >= FIRST_FLOOR_THAT_EMBEDS_CONTRACTS || /(?:^|[/-])(?:contract|routes)\.ts$/.test(from);
}

function floorOf(file: string): number | undefined {
  const folder = folderOf(file);
  if (folder === '') return ROOF_FILES.includes(file.replace(/\.test\.ts$/, '.ts')) ? ROOF : undefined;
  if (ROOF_FOLDERS.includes(folder)) return ROOF;
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
