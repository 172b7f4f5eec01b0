import type { Picked, Root } from './picked-files.ts';

/** A dropped entry: the {@link FileSystemEntry}, and the handle if the browser provides one. */
export interface Dropped {
  readonly entry: FileSystemEntry;
  readonly root?: Root | undefined;
}

/**
 * Walks dropped entries, folders included. Yields what it finds step by step, so that the upload of a large
 * folder starts before the walk has ended. Entries that cannot be read are skipped.
 */
export async function* walkEntries(dropped: readonly Dropped[]): AsyncGenerator<readonly Picked[]> {
  for (const { entry, root } of dropped) yield* walk(entry, [], root);
}

async function* walk(
  entry: FileSystemEntry,
  folders: readonly string[],
  root: Root | undefined,
): AsyncGenerator<readonly Picked[]> {
  if (isFile(entry)) {
    const file = await openFile(entry);
    if (file !== undefined) yield [{ file, folders, root }];
    return;
  }
  if (!isDirectory(entry)) return;
  const path = [...folders, entry.name];
  const directories: FileSystemEntry[] = [];
  let isEmpty = true;
  for await (const entries of readAll(entry)) {
    isEmpty = false;
    directories.push(...entries.filter(isDirectory));
    const files = await Promise.all(entries.filter(isFile).map(openFile));
    yield files.filter((file) => file !== undefined).map((file) => ({ file, folders: path, root }));
  }
  if (isEmpty) yield [{ file: undefined, folders: path, root }];
  for (const directory of directories) yield* walk(directory, path, root);
}

/** A reader returns some entries at a time, and none at the end. */
async function* readAll(directory: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry[]> {
  const reader = directory.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (entries.length === 0) return;
    yield entries;
  }
}

function openFile(entry: FileSystemFileEntry): Promise<File | undefined> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
