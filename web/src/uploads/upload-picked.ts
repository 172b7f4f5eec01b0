import { handleOf, pickHandles } from './file-handles.ts';
import { type Picked, type Root, readInput } from './picked-files.ts';
import { newId, uploads } from './uploads.ts';
import { type Dropped, walkEntries } from './walk-entries.ts';

// The ways in which files come to the page. Each takes the directory that they go into.

export function uploadPicked(path: string, picked: readonly Picked[]): void {
  if (picked.length > 0) uploads.add(path, picked, newId());
}

/** Lets somebody pick files that the browser will find again by itself after the page was loaded anew. */
export async function uploadPickedHandles(path: string): Promise<void> {
  const handles = await pickHandles();
  const picked = await Promise.all(
    handles.map(async (handle): Promise<Picked> => {
      return { file: await handle.getFile(), folders: [], root: { id: newId(), handle } };
    }),
  );
  uploadPicked(path, picked);
}

/** Must be called while the event is being handled: afterwards the page may not look into it any more. */
export async function uploadDropped(path: string, transfer: DataTransfer): Promise<void> {
  const dropped: Promise<Dropped>[] = [];
  const loose: File[] = [];
  for (const source of Array.from(transfer.items)) {
    if (source.kind !== 'file') continue;
    const entry = source.webkitGetAsEntry();
    if (entry !== null) dropped.push(withRoot(entry, handleOf(source)));
    else {
      const file = source.getAsFile();
      if (file !== null) loose.push(file);
    }
  }
  const batchId = newId();
  if (loose.length > 0) uploads.add(path, readInput(loose), batchId);
  const endReading = uploads.read();
  try {
    for await (const picked of walkEntries(await Promise.all(dropped))) uploads.add(path, picked, batchId);
  } finally {
    endReading();
  }
}

async function withRoot(
  entry: FileSystemEntry,
  handle: Promise<FileSystemHandle | undefined>,
): Promise<Dropped> {
  const found = await handle;
  const root: Root | undefined = found && { id: newId(), handle: found };
  return { entry, root };
}
