import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { STORE_ID_KEY } from '../../../src/blobs/object-key.ts';
import type { Holdall } from '../app/holdall.ts';

/** The names of all files in the store, including partial files and unfinished uploads. */
export function listStoredFiles(holdall: Holdall): Promise<readonly string[]> {
  return holdall.storage.list(holdall.dataDir);
}

/** Removes the stored bytes without Holdall's knowledge. */
export function loseStoredFiles(holdall: Holdall): Promise<void> {
  return holdall.storage.loseObjects(holdall.dataDir);
}

/**
 * Waits until the store has that many files, because the bytes of an interrupted upload are removed shortly
 * afterwards.
 */
export async function untilStored(holdall: Holdall, count: number): Promise<void> {
  await waitUntil(
    `the store has ${count} files`,
    async () => (await listStoredFiles(holdall)).length === count,
  );
}

/** The stored objects that no row of a file refers to, finished or not. */
export async function listUnusedObjects(holdall: Holdall): Promise<readonly string[]> {
  const rows = await holdall.app.database.db.selectFrom('blob').select('object_key').execute();
  const names = await listStoredFiles(holdall);
  return names.filter(
    (name) => !name.endsWith(STORE_ID_KEY) && !rows.some((row) => name.includes(row.object_key)),
  );
}
