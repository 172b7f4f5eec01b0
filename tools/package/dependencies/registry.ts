// Packages from the npm registry, each verified by its hash and cached in `.cache/package`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readTar } from '../formats/tar.ts';

const CACHE = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'package');

/**
 * Fetches a package. Returns its files by path.
 * @param integrity `sha512-…`, as in package-lock.json
 * @throws Error with a sentence for the user
 */
export async function fetchPackage(
  name: string,
  version: string,
  integrity: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const file = path.join(CACHE, `${name.replace('/', '-')}-${version}.tgz`);
  if (!existsSync(file)) download(name, version, file);
  const bytes = readFileSync(file);
  const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (hash !== integrity) {
    rmSync(file);
    throw new Error(`${name} ${version} of the npm registry is not what package-lock.json names: ${hash}.`);
  }
  const files = [...(await readTar(gunzipSync(bytes)))];
  // The top directory can have any name.
  return new Map(files.map(([each, content]) => [each.slice(each.indexOf('/') + 1), content]));
}

function download(name: string, version: string, file: string): void {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(path.join(CACHE, '.incoming-'));
  try {
    const { status, stdout, stderr, error } = spawnSync(
      'npm',
      ['pack', '--json', '--silent', '--pack-destination', directory, `${name}@${version}`],
      { cwd: CACHE, encoding: 'utf8', env: withoutNpmSettings(), maxBuffer: 64 * 1024 * 1024 },
    );
    if (status !== 0) throw new Error(`${name} ${version} could not be fetched. ${error ?? stderr}`);
    const [{ filename }] = JSON.parse(stdout);
    renameSync(path.join(directory, path.basename(filename)), file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** An outer `npm run` sets its workspace's settings in the environment. */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(local_)?prefix|config_workspaces?|package_|lifecycle_|command)/i.test(name),
    ),
  );
}
