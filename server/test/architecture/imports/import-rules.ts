import path from 'node:path';
import type { Import, SourceModule } from '../source/source-module.ts';
import { findCycles, findFolderCycles, type ImportGraph } from './cycles.ts';
import { findFloorFault, findPlaceFault } from './floors.ts';

interface PackageRule {
  readonly packages: RegExp;
  readonly allowedIn: RegExp;
  readonly sentence: string;
}

const PACKAGE_RULES: readonly PackageRule[] = [
  {
    packages: /^(?:fastify|@fastify)(?:\/|$)/,
    // shared-downloads.ts sends the answer of a share download, so it uses Fastify like the routes.
    allowedIn: /^(?:http\/.*|app\/.*|.*routes\.ts|shares\/shared-downloads\.ts)$/,
    sentence: 'Fastify appears in http/, routes and app/ only',
  },
  {
    packages: /^kysely(?:\/|$)/,
    allowedIn: /^(?:database\/.*|.*queries\.ts)$/,
    sentence: 'Kysely appears in database/ and queries only',
  },
  {
    packages: /^(?:pg|better-sqlite3|node:sqlite)(?:\/|$)/,
    allowedIn: /^database\//,
    sentence: 'only database/ knows which engine runs',
  },
  {
    packages: /^@(?:aws-sdk|smithy)\//,
    allowedIn: /^storage\/s3\//,
    sentence: 'the S3 SDK appears in storage/s3/ only',
  },
];

const SOURCE = 'src/';
/** What tests may import from outside of src. */
const TEST_FOLDERS = ['test/support/', '../tools/testing/'] as const;
/** The only file outside of src that may be imported; it contains the version. */
const PACKAGE_FILE = 'package.json';

/**
 * Finds violations of the rules about imports in `server/src`, as sentences.
 * @param installed the packages that may be imported
 */
export function findImportFaults(modules: readonly SourceModule[], installed: readonly string[]): string[] {
  const sources = modules.filter((module) => module.path.startsWith(SOURCE));
  const known = new Set(sources.map((module) => module.path));
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const module of sources) {
    const place = findPlaceFault(withoutSource(module.path));
    if (place !== undefined) faults.push(`server/${module.path}: ${place}.`);
    graph.set(module.path, []);
    for (const imported of module.imports) {
      const target = targetOf(module, imported);
      if (target !== undefined && known.has(target)) graph.get(module.path)?.push(target);
      const fault = findFault(module, imported, target, known, installed);
      if (fault !== undefined) {
        const specifier = imported.specifier === undefined ? 'a computed name' : `"${imported.specifier}"`;
        faults.push(`server/${module.path}:${imported.line} imports ${specifier}: ${fault}.`);
      }
    }
  }
  for (const cycle of findCycles(graph))
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  for (const { path: cycle, imports } of findFolderCycles(withoutAncestors(graph)))
    faults.push(`These folders import each other: ${cycle.join(' → ')} (${imports.join(', ')}).`);
  return faults;
}

/** Leaves out imports from parent folders: a subfolder may use the files of its feature that compose it. */
function withoutAncestors(graph: ImportGraph): ImportGraph {
  const isInAncestor = (file: string, target: string) =>
    path.posix.dirname(file).startsWith(`${path.posix.dirname(target)}/`);
  return new Map(
    Array.from(graph, ([file, targets]) => [file, targets.filter((target) => !isInAncestor(file, target))]),
  );
}

function findFault(
  module: SourceModule,
  imported: Import,
  target: string | undefined,
  known: ReadonlySet<string>,
  installed: readonly string[],
): string | undefined {
  const from = withoutSource(module.path);
  if (imported.specifier === undefined) return 'imports must be literal';
  if (from === 'app/contract.ts' && !imported.isType) return 'it may only export types, for the web client';
  if (target === undefined) {
    return findPackageFault(module.path, imported.specifier, installed) ?? findCallFault(from, imported);
  }
  if (target === PACKAGE_FILE) return undefined;
  if (isTest(from) && TEST_FOLDERS.some((folder) => target.startsWith(folder))) return undefined;
  if (!target.startsWith(SOURCE)) return 'it is outside of server/src';
  if (!known.has(target)) return 'the file does not exist';
  return findFloorFault(from, withoutSource(target));
}

function findPackageFault(from: string, name: string, installed: readonly string[]): string | undefined {
  // Tests may import every package of the workspace, database engines included.
  if (isTest(from)) return undefined;
  const rule = PACKAGE_RULES.find(({ packages }) => packages.test(name));
  if (rule !== undefined && !rule.allowedIn.test(withoutSource(from))) return rule.sentence;
  if (
    name.startsWith('node:') ||
    installed.some((dependency) => name === dependency || name.startsWith(`${dependency}/`))
  )
    return undefined;
  return 'it is not a dependency in server/package.json';
}

/** In the bundled `server/dist`, a package that is loaded by a call has no named exports. */
function findCallFault(from: string, { specifier, isCall }: Import): string | undefined {
  if (!isCall || isTest(from) || specifier?.startsWith('node:')) return undefined;
  return 'packages must be imported at the top of a file; only our own files may be loaded by a call';
}

/** The path of a relatively imported file; undefined for a package. */
function targetOf(module: SourceModule, { specifier }: Import): string | undefined {
  if (specifier === undefined || !/^\.{0,2}\//.test(specifier)) return undefined;
  return path.posix.join(path.posix.dirname(module.path), specifier);
}

function isTest(modulePath: string): boolean {
  return modulePath.endsWith('.test.ts');
}

function withoutSource(modulePath: string): string {
  return modulePath.slice(SOURCE.length);
}
