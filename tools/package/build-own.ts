// Builds this platform's packages for tests, with fast compression and without git.
import path from 'node:path';
import { type BuiltPackage, buildPackages } from './build-packages.ts';
import { TARGETS } from './targets.ts';

const BUILT_AT = 1_750_000_000;

/** @param version overrides the sources' version */
export async function buildOwnPackages(
  directory: string,
  version?: string,
): Promise<{ archive: string; debian: string }> {
  const targets = TARGETS.filter(({ cpu }) => cpu === process.arch);
  const packages = await buildPackages(directory, targets, {
    builtAt: BUILT_AT,
    level: 1,
    ...(version === undefined ? {} : { version }),
  });
  const find = (end: string) => {
    const found = packages.find(({ fileName }: BuiltPackage) => fileName.endsWith(end));
    if (found === undefined) throw new Error(`There is no package for ${process.arch}.`);
    return path.join(directory, found.fileName);
  };
  return { archive: find('.tar.gz'), debian: find('.deb') };
}
