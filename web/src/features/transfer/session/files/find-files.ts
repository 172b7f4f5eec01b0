import type { EntryRecord, Page } from '../../../../../../client/src/client.ts';
import { MAX_FILES } from './chosen-files.ts';

/** The number of folder entries per request. */
export const FOLDER_PAGE = 200;

/** The maximum number of folders to read. Needed because folders may contain no files to count. */
export const MAX_FOLDERS = 1_000;

/** Thrown if there are more than `MAX_FOLDERS` folders. */
export class TooManyFolders extends Error {}

interface FoundFile {
  readonly entry: EntryRecord;
  /**
   * The path of the file, starting with the chosen folder; null if the file itself was chosen.
   */
  readonly relativePath: string | null;
}

/** Reads a page of a folder. */
type ListFolder = (folder: EntryRecord, page: number) => Promise<Pick<Page<EntryRecord>, 'items' | 'total'>>;

/**
 * Finds the given files, and all files in the given folders. Stops reading as soon as there are too many
 * files.
 * @throws TooManyFolders; what `list` throws
 */
export async function findFiles(
  entries: readonly EntryRecord[],
  list: ListFolder,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  let folders = 0;
  /** @param around the names of the folders that contain the entry, starting with the chosen one */
  const add = async (entry: EntryRecord, around: readonly string[]): Promise<void> => {
    if (found.length > MAX_FILES) return;
    const names = [...around, entry.filename];
    if (!entry.directory) {
      found.push({ entry, relativePath: names.length === 1 ? null : names.join('/') });
      return;
    }
    folders += 1;
    if (folders > MAX_FOLDERS) throw new TooManyFolders();
    for (let page = 0; found.length <= MAX_FILES; page += 1) {
      const { items, total } = await list(entry, page);
      for (const item of items) await add(item, names);
      if ((page + 1) * FOLDER_PAGE >= total) return;
    }
  };
  for (const entry of entries) await add(entry, []);
  return found;
}
