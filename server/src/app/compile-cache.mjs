// Plain JavaScript, for the reasons that are given in the service's main.mjs.
import { statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Keeps compiled code for the next start: beside the program, or where nobody may write there, as in a Debian
 * package, in the data directory. Only in one of the user's own: whoever can write there decides what runs.
 */
export function enableCompileCache() {
  if (module.enableCompileCache === undefined) return;
  const { status } = module.enableCompileCache(
    fileURLToPath(new URL('../../../.cache/compile', import.meta.url)),
  );
  if (status !== module.constants.compileCacheStatus.FAILED) return;
  // Not `data`, where a service without this setting has it: a command must not write into somebody's folder
  // `data`.
  const dataDir = process.env.HOLDALL_DATA_DIR;
  if (dataDir && isOwnDirectory(dataDir)) module.enableCompileCache(path.join(dataDir, 'compile-cache'));
}

function isOwnDirectory(directory) {
  let stats;
  try {
    stats = statSync(directory, { throwIfNoEntry: false });
  } catch {
    // The service itself says what is wrong with its data directory.
    return false;
  }
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
