import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { notifyError } from '../../ui/notifications/notify.ts';

/** How many of the newest folder links are searched for a root. Few users have more. */
const NEWEST = 1_000;

/** Finds the page of a folder. If the folder is gone, the user is told, and gets the page of the drive. */
export async function openFolder(id: number, drive: DriveId) {
  try {
    return toDirectory(await findPath(id, drive), { drive });
  } catch (error) {
    notifyError(error);
    return toDirectory(ROOT, { drive });
  }
}

async function findPath(id: number, drive: DriveId): Promise<string> {
  try {
    const entry = await ask('GET /api/v2/files/{fileId}', { path: { fileId: id }, drive });
    return entry.directory ? entry.path : entry.parentPath;
  } catch (error) {
    if (!(error instanceof HoldallError && error.status === 404)) throw error;
    // The root of a drive has no record. Only a link to it tells its id.
    const links = await ask('GET /api/v2/folder-links/mine', { query: { size: NEWEST }, drive });
    if (links.items.some(({ directoryId, directoryPath }) => directoryId === id && directoryPath === ROOT))
      return ROOT;
    throw error;
  }
}
