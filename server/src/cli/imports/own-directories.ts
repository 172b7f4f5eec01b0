import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { toIdentity } from './local-directory.ts';

/**
 * The identities of the data directory and of the directories directly in it. A link or another mount may
 * lead to each of them under any path, so paths are not compared.
 */
export function findOwnDirectories(dataDir: string): ReadonlySet<string> {
  const places = [dataDir, ...listNames(dataDir).map((name) => path.join(dataDir, name))];
  return new Set(places.map(findIdentity).filter((identity) => identity !== undefined));
}

/** Whether the directory is one of Holdall's own, or inside one of them. */
export function isInside(directory: string, own: ReadonlySet<string>): boolean {
  for (let at = realpathSync(directory); ; at = path.dirname(at)) {
    if (own.has(findIdentity(at) ?? '')) return true;
    if (at === path.dirname(at)) return false;
  }
}

function listNames(directory: string): readonly string[] {
  return statSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(directory);
}

/** Undefined for a file, and for a link that leads nowhere. */
function findIdentity(place: string): string | undefined {
  const stats = statSync(place, { bigint: true, throwIfNoEntry: false });
  return stats?.isDirectory() ? toIdentity(stats) : undefined;
}
