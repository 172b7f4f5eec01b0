// Builds one version's packages: an archive and a Debian package for each target. The same files produce the
// same bytes, wherever the clone is.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { collectContents, VERSION } from './contents.ts';
import { makeDebianPackage } from './debian.ts';
import { checkInstalled } from './dependencies/check-installed.ts';
import { writeTar } from './formats/tar.ts';
import type { Target } from './targets.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

export interface BuiltPackage {
  readonly fileName: string;
  readonly target: Target;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/**
 * Writes the packages and SHA256SUMS into a directory.
 * @throws Error if `node_modules` does not match package-lock.json
 * @param options.version overrides the sources' version, to test upgrades
 * @param options.level the compression level, from 1 to 9
 */
export async function buildPackages(
  directory: string,
  targets: readonly Target[],
  options: { readonly builtAt?: number; readonly version?: string; readonly level?: number } = {},
): Promise<readonly BuiltPackage[]> {
  const { builtAt = getBuildTime(), version = VERSION, level = 9 } = options;
  checkInstalled(root);
  mkdirSync(directory, { recursive: true });
  const sums: string[] = [];
  const built: BuiltPackage[] = [];
  for (const target of targets) {
    const contents = await collectContents(target, builtAt);
    const top = `holdall-${version}-${target.name}`;
    const archive = await writeTar(
      contents.map((file) => ({ ...file, path: `${top}/${file.path}` })),
      builtAt,
    );
    const unpackedBytes = contents.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    const packages = [
      { fileName: `${top}.tar.gz`, bytes: gzipSync(archive, { level }) },
      await makeDebianPackage(contents, target, { version, builtAt, level }),
    ];
    for (const { fileName, bytes } of packages) {
      writeFileSync(path.join(directory, fileName), bytes);
      sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${fileName}\n`);
      built.push({ fileName, target, packedBytes: bytes.byteLength, unpackedBytes });
    }
  }
  writeFileSync(path.join(directory, 'SHA256SUMS'), sums.join(''));
  return built;
}

/**
 * SOURCE_DATE_EPOCH, or else the time of the commit, in seconds:
 * https://reproducible-builds.org/specs/source-date-epoch/
 * @throws Error if neither exists
 */
function getBuildTime(): number {
  const { SOURCE_DATE_EPOCH: wanted } = process.env;
  if (wanted !== undefined && /^\d+$/.test(wanted)) return Number(wanted);
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  if (status === 0 && /^\d+\n$/.test(stdout)) return Number(stdout);
  throw new Error(
    'This is not a git clone: set SOURCE_DATE_EPOCH to the time of all packed files, in seconds.',
  );
}
