import { newId } from '../../../common/new-id.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import type { CollectedDrop } from '../files/collect-drop.ts';
import { type Picked, type Root, readInput } from '../files/picked-files.ts';
import { type Dropped, walkEntries } from '../files/walk-entries.ts';
import { uploads } from '../uploads.ts';

// One function for each way in which files reach the page. Each takes the target folder.

export function uploadPicked({ drive, directory }: DirectoryPlace, picked: readonly Picked[]): void {
  if (picked.length > 0) uploads.add(directory, picked, newId(), drive);
}

/** For files that the browser can open again after a reload. */
export async function uploadHandles(
  folder: DirectoryPlace,
  handles: readonly FileSystemFileHandle[],
): Promise<void> {
  const picked = await Promise.all(
    handles.map(async (handle): Promise<Picked> => {
      return { file: await handle.getFile(), folders: [], root: { id: newId(), handle } };
    }),
  );
  uploadPicked(folder, picked);
}

/** Walks all dropped folders. */
export async function uploadDropped(
  { drive, directory }: DirectoryPlace,
  { entries, files }: CollectedDrop,
): Promise<void> {
  const batchId = newId();
  if (files.length > 0) uploads.add(directory, readInput(files), batchId, drive);
  const endReading = uploads.beginReading();
  try {
    const dropped = await Promise.all(entries.map(withRoot));
    const found = walkEntries(dropped, (unreadable) => uploads.noteUnreadable(unreadable));
    for await (const picked of found) uploads.add(directory, picked, batchId, drive);
  } finally {
    endReading();
  }
}

async function withRoot({ entry, handle }: CollectedDrop['entries'][number]): Promise<Dropped> {
  const found = await handle;
  const root: Root | undefined = found && { id: newId(), handle: found };
  return { entry, root };
}
