import { readFileSync } from 'node:fs';
import path from 'node:path';

interface RecordedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Whether it is a workspace of this project. */
  readonly link?: boolean;
}

/**
 * Compares the versions and hashes that npm recorded in `node_modules` with package-lock.json. `npm ci` has
 * verified these hashes. The files themselves are not read, so later changes to them end up in the build.
 * @param directory the directory with package-lock.json
 * @throws Error with the names of the packages
 */
export function checkInstalled(directory: string): void {
  const locked = readPackages(path.join(directory, 'package-lock.json'));
  const installed = readPackages(path.join(directory, 'node_modules', '.package-lock.json'));
  const wrong = Object.entries(installed)
    .filter(([, recorded]) => recorded.link !== true)
    .filter(([place, recorded]) => {
      const expected = locked[place];
      return recorded.version !== expected?.version || recorded.integrity !== expected?.integrity;
    })
    .map(([place]) => place);
  if (wrong.length === 0) return;
  throw new Error(`${wrong.join(', ')}: not what package-lock.json names. Run "npm ci".`);
}

function readPackages(file: string): Readonly<Record<string, RecordedPackage>> {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'));
    return packages;
  } catch (error) {
    throw new Error(`${file} cannot be read. Run "npm ci".`, { cause: error });
  }
}
