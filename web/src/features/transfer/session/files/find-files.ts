import type { EntryRecord, Page } from '../../../../../../client/src/client.ts';
import { MAX_FILES } from './chosen-files.ts';

/** The number of entries of a folder that are read at a time. */
export const FOLDER_PAGE = 200;

/** The maximum number of folders that are read. They may contain no file at all. */
export const MAX_FOLDERS = 1_000;

/** There are more folders than the maximum. */
export class TooManyFolders extends Error {}

interface FoundFile {
  readonly entry: EntryRecord;
  /**
   * The path of the file, beginning with the name of the chosen folder; null for a file that was chosen
   * itself.
   */
  readonly relativePath: string | null;
}

/** Reads a page of a folder. */
type ListFolder = (path: string, page: number) => Promise<Pick<Page<EntryRecord>, 'items' | 'total'>>;

/**
 * The files among entries and in the folders among them. Stops reading folders as soon as there are too many
 * files.
 * @throws TooManyFolders; what `list` throws
 */
export async function findFiles(
  entries: readonly EntryRecord[],
  list: ListFolder,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  let folders = 0;
  /** @param around the names of the folders around it, from the chosen one on */
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
      const { items, total } = await list(entry.path, page);
      for (const item of items) await add(item, names);
      if ((page + 1) * FOLDER_PAGE >= total) return;
    }
  };
  for (const entry of entries) await add(entry, []);
  return found;
}
