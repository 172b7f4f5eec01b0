import { type LogicalPath, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Db } from '../../database/database.ts';
import { getDirectory } from '../entries/live-entries.ts';

/**
 * The ids of the directories to search. Leaves out the root, which contains everything.
 * @throws Failure `not-found`
 */
export async function findDirectoryIds(
  db: Db,
  driveIds: readonly number[],
  paths: readonly LogicalPath[],
): Promise<readonly number[]> {
  const below = paths.filter((path) => path !== ROOT_PATH);
  const [driveId, ...others] = driveIds;
  if (driveId === undefined || below.length === 0) return [];
  if (others.length > 0) throw new Error('Directories can be searched in one drive only.');
  const directories = await Promise.all(below.map((path) => getDirectory(db, driveId, path)));
  return directories.map(({ id }) => id);
}
