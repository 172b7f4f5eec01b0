// Builds the packages of one version: an archive and a Debian package for each target. The same files give
// the same bytes, wherever the clone lies.

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
 * @throws Error where `node_modules` is not what package-lock.json names
 * @param options.version another version than that of the sources, for tests of upgrades
 * @param options.level of the compression, from 1 to 9
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
 * The time of the commit, in seconds, or SOURCE_DATE_EPOCH:
 * https://reproducible-builds.org/specs/source-date-epoch/
 * @throws Error where there is neither
 */
function getBuildTime(): number {
  const { SOURCE_DATE_EPOCH: wanted } = process.env;
  if (wanted !== undefined && /^\d+$/.test(wanted)) return Number(wanted);
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  if (status === 0 && /^\d+\n$/.test(stdout)) return Number(stdout);
  throw new Error(
    'This is no clone with git: set SOURCE_DATE_EPOCH to the time of all packed files, in seconds.',
  );
}
