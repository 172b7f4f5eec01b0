import path from 'node:path';
import { findCycles } from './cycles.ts';
import { findFloorFault, findPlaceFault } from './floors.ts';
import type { Import, SourceModule } from './source-module.ts';

interface PackageRule {
  readonly packages: RegExp;
  readonly allowedIn: RegExp;
  readonly sentence: string;
}

const PACKAGE_RULES: readonly PackageRule[] = [
  {
    packages: /^(?:fastify|@fastify)(?:\/|$)/,
    allowedIn: /^(?:http\/.*|app\/.*|.*routes\.ts)$/,
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
    sentence: 'nobody outside database/ can tell which engine runs',
  },
  {
    packages: /^@(?:aws-sdk|smithy)\//,
    allowedIn: /^storage\/s3\//,
    sentence: 'the S3 SDK appears in storage/s3/ only',
  },
];

const SOURCE = 'src/';
const TEST_SUPPORT = 'test/support/';
/** The one file outside of the source that it may read: it holds the version. */
const PACKAGE_FILE = 'package.json';

/**
 * What is wrong with the imports of `server/src`, in sentences. Of the packages only those may be imported that
 * are installed with the server.
 */
export function findImportFaults(modules: readonly SourceModule[], installed: readonly string[]): string[] {
  const sources = modules.filter((module) => module.path.startsWith(SOURCE));
  const known = new Set(sources.map((module) => module.path));
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const module of sources) {
    const place = findPlaceFault(below(module.path));
    if (place !== undefined) faults.push(`server/${module.path}: ${place}.`);
    graph.set(module.path, []);
    for (const imported of module.imports) {
      const target = targetOf(module, imported);
      if (target !== undefined && known.has(target)) graph.get(module.path)?.push(target);
      const fault = findFault(module, imported, target, known, installed);
      if (fault !== undefined) {
        const what = imported.specifier === undefined ? 'something computed' : `"${imported.specifier}"`;
        faults.push(`server/${module.path}:${imported.line} imports ${what}: ${fault}.`);
      }
    }
  }
  for (const cycle of findCycles(graph))
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  return faults;
}

function findFault(
  module: SourceModule,
  imported: Import,
  target: string | undefined,
  known: ReadonlySet<string>,
  installed: readonly string[],
): string | undefined {
  const from = below(module.path);
  if (imported.specifier === undefined) return 'what a file imports has to stand in it';
  if (from === 'app/contract.ts' && !imported.isType)
    return 'the contract for the web client holds types only';
  if (target === undefined) return findPackageFault(module.path, imported.specifier, installed);
  if (target === PACKAGE_FILE) return undefined;
  if (isTest(from) && target.startsWith(TEST_SUPPORT)) return undefined;
  if (!target.startsWith(SOURCE)) return 'it lies outside of server/src';
  if (!known.has(target)) return 'there is no such file';
  return findFloorFault(from, below(target));
}

function findPackageFault(from: string, name: string, installed: readonly string[]): string | undefined {
  // Tests bring what they need: they may look at an engine, and their packages are of the whole workspace.
  if (isTest(from)) return undefined;
  const rule = PACKAGE_RULES.find(({ packages }) => packages.test(name));
  if (rule !== undefined && !rule.allowedIn.test(below(from))) return rule.sentence;
  if (name.startsWith('node:') || installed.some((one) => name === one || name.startsWith(`${one}/`)))
    return undefined;
  return 'it is not among the dependencies of server/package.json';
}

/** The file that a relative import means; undefined for a package. */
function targetOf(module: SourceModule, { specifier }: Import): string | undefined {
  if (specifier === undefined || !/^\.{0,2}\//.test(specifier)) return undefined;
  return path.posix.join(path.posix.dirname(module.path), specifier);
}

function isTest(modulePath: string): boolean {
  return modulePath.endsWith('.test.ts');
}

function below(modulePath: string): string {
  return modulePath.slice(SOURCE.length);
}
