import path from 'node:path';
import type { SourceModule } from '../source/source-module.ts';
import { findCycles, findFolderCycles } from './cycles.ts';

const SOURCE = 'client/src/';

/** The folders of the client library, from the lowest up. Folders in one row do not import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['shapes', 'common'],
  ['generated'],
  ['errors'],
  ['requests'],
  ['pages', 'login', 'uploads', 'downloads', 'events'],
  ['transfer'],
  ['parts'],
  // The entry, and the files that build the library out of its parts.
  [''],
  ['node'],
];

/** The only folder that may use Node.js, because the library also runs in browsers. */
const NODE = 'node';

/** Finds violations of the rules in the client library, as sentences. Paths are relative to the root. */
export function findClientFaults(modules: readonly SourceModule[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  const graph = new Map<string, string[]>();
  const faults: string[] = [];
  for (const module of modules) {
    if (floorOf(module.path) < 0)
      faults.push(`${module.path}: its folder is in no row of the table of floors.`);
    const targets: string[] = [];
    for (const { specifier = '', line } of module.imports) {
      const isFile = specifier.startsWith('.');
      const target = path.posix.join(path.posix.dirname(module.path), specifier);
      if (isFile && known.has(target)) targets.push(target);
      if (isTest(module.path)) continue;
      const fault = isFile ? findFileFault(module.path, target) : findPackageFault(module.path, specifier);
      if (fault !== undefined) faults.push(`${module.path}:${line} imports "${specifier}": ${fault}.`);
    }
    graph.set(module.path, targets);
  }
  for (const cycle of findCycles(graph))
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  for (const cycle of findFolderCycles(graph))
    faults.push(`These folders import each other: ${cycle.path.join(' → ')} (${cycle.imports.join(', ')}).`);
  return faults;
}

function findFileFault(from: string, to: string): string | undefined {
  if (!to.startsWith(SOURCE)) return 'the library may import only what is in client/src';
  const [fromFloor, toFloor] = [floorOf(from), floorOf(to)];
  if (folderOf(from) === folderOf(to) || toFloor < fromFloor) return undefined;
  const place = toFloor === fromFloor ? 'on the same floor as' : 'on a higher floor than';
  return `${folderOf(to) || 'the entry'} is ${place} ${folderOf(from)}`;
}

function findPackageFault(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('node:')) return 'the library has no dependencies';
  return folderOf(from) === NODE ? undefined : 'only client/src/node may import from Node.js';
}

function isTest(modulePath: string): boolean {
  return modulePath.endsWith('.test.ts');
}

function floorOf(modulePath: string): number {
  return FLOORS.findIndex((row) => row.includes(folderOf(modulePath)));
}

function folderOf(modulePath: string): string {
  const [folder = '', ...rest] = modulePath.slice(SOURCE.length).split('/');
  return rest.length === 0 ? '' : folder;
}
