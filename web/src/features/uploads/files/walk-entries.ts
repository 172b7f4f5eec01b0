import type { Picked, Root } from './picked-files.ts';

/** A dropped entry: the {@link FileSystemEntry}, and the handle if the browser provides one. */
export interface Dropped {
  readonly entry: FileSystemEntry;
  readonly root?: Root | undefined;
}

/** @param path starts with the dropped folder */
type OnUnreadable = (path: string) => void;

/**
 * Walks dropped entries, folders included. Yields each file as soon as it is found, so the upload of a large
 * folder can start early.
 * @param onUnreadable called with the path of each file and folder that cannot be read; the walk continues
 */
export async function* walkEntries(
  dropped: readonly Dropped[],
  onUnreadable: OnUnreadable,
): AsyncGenerator<readonly Picked[]> {
  for (const { entry, root } of dropped) yield* walk(entry, [], root, onUnreadable);
}

async function* walk(
  entry: FileSystemEntry,
  folders: readonly string[],
  root: Root | undefined,
  onUnreadable: OnUnreadable,
): AsyncGenerator<readonly Picked[]> {
  if (isFile(entry)) {
    const file = await openFile(entry, folders, onUnreadable);
    if (file !== undefined) yield [{ file, folders, root }];
    return;
  }
  if (!isDirectory(entry)) return onUnreadable([...folders, entry.name].join('/'));
  const path = [...folders, entry.name];
  const directories: FileSystemEntry[] = [];
  let isEmpty = true;
  const reader = readAll(entry, () => {
    isEmpty = false;
    onUnreadable(path.join('/'));
  });
  for await (const entries of reader) {
    isEmpty = false;
    for (const odd of entries)
      if (!isFile(odd) && !isDirectory(odd)) onUnreadable([...path, odd.name].join('/'));
    directories.push(...entries.filter(isDirectory));
    const files = await Promise.all(entries.filter(isFile).map((file) => openFile(file, path, onUnreadable)));
    yield files.filter((file) => file !== undefined).map((file) => ({ file, folders: path, root }));
  }
  if (isEmpty) yield [{ file: undefined, folders: path, root }];
  for (const directory of directories) yield* walk(directory, path, root, onUnreadable);
}

/** A reader returns a few entries at a time, and none at the end. After a failure it returns nothing more. */
async function* readAll(
  directory: FileSystemDirectoryEntry,
  onFailure: () => void,
): AsyncGenerator<FileSystemEntry[]> {
  const reader = directory.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => {
        onFailure();
        resolve([]);
      }),
    );
    if (entries.length === 0) return;
    yield entries;
  }
}

function openFile(
  entry: FileSystemFileEntry,
  folders: readonly string[],
  onUnreadable: OnUnreadable,
): Promise<File | undefined> {
  return new Promise((resolve) =>
    entry.file(resolve, () => {
      onUnreadable([...folders, entry.name].join('/'));
      resolve(undefined);
    }),
  );
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
