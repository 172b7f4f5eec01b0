import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** A run stores about one GiB, and its processes need memory as well. */
const NEEDED_FILE_BYTES = 3 * 1024 ** 3;
const NEEDED_MEMORY_BYTES = 6 * 1024 ** 3;

/** Creates a directory for the temporary files of a run: in memory if there is room, otherwise on disk. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'holdall-tests-'));
  // PostgreSQL may run as another user, who reaches its own directory through this one.
  chmodSync(directory, 0o711);
  return directory;
}

function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= NEEDED_FILE_BYTES && process.availableMemory() >= NEEDED_MEMORY_BYTES;
}
