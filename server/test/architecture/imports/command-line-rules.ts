import path from 'node:path';
import type { SourceModule } from '../source/source-module.ts';
import { findCycles, findFolderCycles } from './cycles.ts';

const SOURCE = 'cli/src/';
/** The sync, whose folders may not import each other. */
const SYNC = 'cli/src/sync/';
/** The decisions of the sync, separated from reading and writing. */
const SYNC_RULES = 'cli/src/sync/rules/';
/** Modules of Node.js that neither read nor write. */
const PURE_MODULES: readonly string[] = ['node:path'];

/** What the command line may import besides its own files and modules of Node.js. */
const OTHERS: readonly string[] = [
  // The two faces of the client library.
  'client/src/client.ts',
  'client/src/node/files.ts',
  // All commands of `holdall` handle the terminal and the process in the same way.
  'server/src/cli/progress.ts',
  'server/src/app/process/stop-signals.ts',
  'server/src/app/compile-cache.mjs',
  'server/src/app/process/node-version.ts',
  'server/src/cli/terminal.ts',
  // What `holdall serve` runs, without the other commands of the server.
  'server/src/app/run.ts',
  // The rules for sizes, names and numbered names must be those of the server.
  'server/src/base/format-bytes.ts',
  'server/src/base/text/names/file-name.ts',
  'server/src/base/text/names/numbered-name.ts',
];

/** The packages of the command line. They are dependencies of the server, whose packages contain both. */
const PACKAGES: readonly string[] = ['ignore'];

/** Finds violations of the rules in the command line, as sentences. Paths are relative to the root. */
export function findCommandLineFaults(modules: readonly SourceModule[]): string[] {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const module of modules) {
    const targets: string[] = [];
    for (const { specifier = '', line } of module.imports) {
      if (module.path.startsWith(SYNC_RULES) && isForbiddenInRules(module.path, specifier)) {
        faults.push(`${module.path}:${line} imports "${specifier}", but rules neither read nor write.`);
      }
      if (specifier.startsWith('node:') || PACKAGES.includes(specifier)) continue;
      const isFile = specifier.startsWith('.');
      const target = path.posix.join(path.posix.dirname(module.path), specifier);
      if (isFile && target.startsWith(SOURCE)) targets.push(target);
      else if (!isFile || !OTHERS.includes(target)) {
        faults.push(`${module.path}:${line} imports "${specifier}", which is not for the command line.`);
      }
    }
    graph.set(module.path, targets);
  }
  for (const cycle of findCycles(graph)) {
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  }
  const ofSync = new Map([...graph].filter(([file]) => file.startsWith(SYNC)));
  for (const cycle of findFolderCycles(ofSync)) {
    if (!cycle.path.every((part) => part.startsWith(SYNC))) continue;
    faults.push(`These folders import each other: ${cycle.path.join(' → ')} (${cycle.imports.join(', ')}).`);
  }
  return faults;
}

function isForbiddenInRules(from: string, specifier: string): boolean {
  if (from.endsWith('.test.ts')) return false;
  if (specifier.startsWith('node:')) return !PURE_MODULES.includes(specifier);
  const target = path.posix.join(path.posix.dirname(from), specifier);
  return target.startsWith(SOURCE) && !target.startsWith(SYNC_RULES);
}
