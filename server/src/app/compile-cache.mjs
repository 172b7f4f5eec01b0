// This is plain JavaScript, for the reasons given in the service's main.mjs.
import { statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Keeps compiled code for the next start, beside the program. If no one may write there, as in a Debian
 * package, it is kept in the data directory. The data directory must belong to this user: anyone who can
 * write there decides what code runs.
 */
export function enableCompileCache() {
  if (module.enableCompileCache === undefined) return;
  const { status } = module.enableCompileCache(
    fileURLToPath(new URL('../../../.cache/compile', import.meta.url)),
  );
  if (status !== module.constants.compileCacheStatus.FAILED) return;
  // Without this setting the service uses `data`. But a command must not write into a folder that happens to
  // have that name.
  const dataDir = process.env.HOLDALL_DATA_DIR;
  if (dataDir && isOwnDirectory(dataDir)) module.enableCompileCache(path.join(dataDir, 'compile-cache'));
}

function isOwnDirectory(directory) {
  let stats;
  try {
    stats = statSync(directory, { throwIfNoEntry: false });
  } catch {
    // The service itself reports what is wrong with its data directory.
    return false;
  }
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
