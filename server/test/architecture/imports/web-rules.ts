import path from 'node:path';
import { lineAt, type SourceModule } from '../source/source-module.ts';
import { findCycles, findFolderCycles } from './cycles.ts';

const SOURCE = 'web/src/';
const SERVER_CONTRACT = 'server/src/app/contract.ts';

/** The only file that imports types from the server: those that no operation returns. The library has the rest. */
const CONTRACT = 'web/src/api/contract.ts';

/**
 * Files of the server that the web client shares, so both fold and split texts in the same way. They use
 * nothing of Node, and import only each other.
 */
export const PURE_FILES: ReadonlySet<string> = new Set([
  'server/src/base/text/names/accents.ts',
  'server/src/base/text/names/normal-form.ts',
  'server/src/content-search/analysis/run-finder.ts',
  'server/src/content-search/analysis/text-hits.ts',
  'server/src/content-search/analysis/tokens.ts',
]);

/** The only parts that send requests. So logins, errors and new tokens are handled in one place. */
const SENDS_REQUESTS = /^web\/src\/(?:api|features\/(?:live|uploads|transfer))\//;

/** Code of the client library that the web client shares: errors, and transfers between people. */
const SHARED = /^client\/src\/(?:common|errors|transfer)\//;

/** Files that are imported only for their types: their code would pull in the whole client library. */
const SHARED_TYPES = /^client\/src\/(?:client\.ts|generated\/)/;

/** Files that may be imported only by the parts that send requests. */
const FOR_REQUESTS = /^client\/src\/(?:events|login|requests)\//;

/** Finds violations of the rules in the web client, as sentences. Paths are relative to the root. */
export function findWebFaults(modules: readonly SourceModule[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  const graph = new Map<string, string[]>();
  const faults: string[] = [];
  for (const module of modules) {
    const imported: string[] = [];
    for (const { specifier, line, isType } of module.imports) {
      if (specifier === undefined || !specifier.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(module.path), specifier);
      // Type imports also count: a file cannot be understood without the types that it imports.
      if (known.has(target)) imported.push(target);
      const fault = findImportFault(module.path, target, isType);
      if (fault !== undefined) faults.push(`${module.path}:${line} imports "${specifier}": ${fault}.`);
    }
    graph.set(module.path, imported);
    const placeFault = findWebPlaceFault(module.path.slice(SOURCE.length));
    if (placeFault !== undefined) faults.push(`${module.path}: ${placeFault}.`);
    faults.push(...findWordFaults(module));
  }
  for (const cycle of findCycles(graph))
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  for (const cycle of findFolderCycles(graph))
    faults.push(`These folders import each other: ${cycle.path.join(' → ')} (${cycle.imports.join(', ')}).`);
  return faults;
}

/** Finds what the pure files import besides each other. Paths are relative to the root. */
export function findImpureFaults(modules: readonly SourceModule[]): string[] {
  const pure = modules.filter((module) => PURE_FILES.has(module.path));
  const missing = [...PURE_FILES].filter((file) => !pure.some((module) => module.path === file));
  const imports = pure.flatMap((module) =>
    module.imports.map(({ specifier = '', line }) => ({ module, specifier, line })),
  );
  return [
    ...missing.map((file) => `${file} does not exist.`),
    ...imports
      .filter(({ module, specifier }) => {
        const target = path.posix.join(path.posix.dirname(module.path), specifier);
        return !specifier.startsWith('.') || !PURE_FILES.has(target);
      })
      .map(
        ({ module, specifier, line }) => `${module.path}:${line} imports "${specifier}": the web shares it.`,
      ),
  ];
}

function findImportFault(from: string, target: string, isType: boolean): string | undefined {
  if (target.startsWith('server/')) {
    if (/\.test\.tsx?$/.test(from) || PURE_FILES.has(target)) return undefined;
    if (from !== CONTRACT) return `only ${CONTRACT} may import from the server`;
    if (target !== SERVER_CONTRACT) return `the client may import ${SERVER_CONTRACT} only from the server`;
    return isType ? undefined : 'the client may import only types from the server';
  }
  if (target.startsWith('client/')) return findLibraryFault(from, target, isType);
  if (!target.startsWith(SOURCE)) return undefined;
  return findWebFloorFault(from.slice(SOURCE.length), target.slice(SOURCE.length));
}

function findLibraryFault(from: string, target: string, isType: boolean): string | undefined {
  if (SHARED.test(target)) return undefined;
  if (SHARED_TYPES.test(target)) return isType ? undefined : 'only types may be imported from there';
  if (!FOR_REQUESTS.test(target)) return 'the web client does not share this part of the client library';
  return SENDS_REQUESTS.test(from) ? undefined : 'only some parts send requests themselves; use api/ask.ts';
}

function findWordFaults({ path: modulePath, code, text }: SourceModule): string[] {
  if (/\.test\.tsx?$/.test(modulePath) || SENDS_REQUESTS.test(modulePath)) return [];
  return [...code.matchAll(/\bfetch\s*\(|\bXMLHttpRequest\b|\bEventSource\b/g)].map(
    (match) => `${modulePath}:${lineAt(text, match.index)} sends a request itself; use api/ask.ts.`,
  );
}

// The floors of the web client. A file imports only from its own folder and from lower floors.

/** Floors from the lowest up. Parts in one row do not import each other. `pages/*` stands for every page. */
const FLOORS: readonly (readonly string[])[] = [
  ['api'],
  ['messages'],
  ['common'],
  ['ui'],
  ['features/account'],
  ['features/drives'],
  ['features/entries', 'features/live', 'features/search'],
  [
    'features/activity',
    'features/notifications',
    'features/people',
    'features/shares',
    'features/tasks',
    'features/transfer',
    'features/uploads',
  ],
  ['features/details', 'features/members', 'features/sending'],
  ['features/preview'],
  ['features/drive'],
  ['shell'],
  ['pages/*'],
];

/** Files that build the client out of its parts. They may import everything, but no file imports them. */
const ROOT_FILES: readonly string[] = ['main.tsx', 'router.tsx', 'theme.ts', 'page.css'];
const ROOT = FLOORS.length;

/** Says why the file may not be where it is; undefined if it may. The path is relative to `web/src`. */
function findWebPlaceFault(file: string): string | undefined {
  return floorOf(file) === -1 ? `${partOf(file)} is in no row of the table of floors` : undefined;
}

/** Says why one file may not import the other; undefined if it may. Paths are relative to `web/src`. */
function findWebFloorFault(from: string, to: string): string | undefined {
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (fromFloor === -1 || toFloor === -1 || fromFloor === ROOT) return undefined;
  const [fromPart, toPart] = [partOf(from), partOf(to)];
  if (fromPart === toPart || toFloor < fromFloor) return undefined;
  if (toFloor === fromFloor)
    return `${toPart} and ${fromPart} are on one floor and may not import each other`;
  return `${toPart} is on a higher floor than ${fromPart}`;
}

/** Returns the number of the floor, from 0, or -1 for a file that is on none. */
function floorOf(file: string): number {
  if (ROOT_FILES.includes(file)) return ROOT;
  const part = partOf(file);
  return FLOORS.findIndex(
    (row) => row.includes(part) || (part.startsWith('pages/') && row.includes('pages/*')),
  );
}

/** The feature, the page or the folder: `features/drive`, `pages/bin`, `pages/tasks-page.tsx`, `ui`. */
function partOf(file: string): string {
  const names = file.split('/');
  return names.slice(0, names[0] === 'features' || names[0] === 'pages' ? 2 : 1).join('/');
}
