import { numberName } from '../../../../../client/src/transfer/session/safe-paths.ts';
import { canStoreInBrowser, openBrowserPlace } from './browser-place.ts';
import { canPickFile, canPickFolder, pickFile, pickFolder } from './pickers.ts';
import { type ArchivePlace, type HiddenPlace, NoPlace, type SavePlace, toSink } from './save-place.ts';

/** Archiving more files takes a while, so it is done only when the user asks for it. */
export const MAX_SAVED_AT_ONCE = 10;

/** The maximum that a page may hold in memory, if the browser offers no other place. */
export const MAX_MEMORY_BYTES = 200_000_000;

const PART_BYTES = 8_000_000;

/**
 * Lets the user choose where files are saved, if the browser supports that. Otherwise returns a place inside
 * the browser, from which the files are saved later. Must be called from a click.
 * @returns undefined if the user cancels
 * @throws NoPlace
 */
export async function choosePlace(
  paths: readonly (readonly string[])[],
  totalBytes: number,
): Promise<SavePlace | undefined> {
  const [only] = paths;
  if (paths.length === 1 && only !== undefined && canPickFile()) {
    const handle = await pickFile(only.at(-1) ?? '');
    return handle && placeOfFile(handle);
  }
  if (paths.length > 1 && canPickFolder()) {
    const handle = await pickFolder();
    return handle && placeInFolder(handle, paths);
  }
  return await openHiddenPlace(paths, totalBytes);
}

/** Opens a place inside the browser: on disk if possible, otherwise in memory. @throws NoPlace */
export async function openHiddenPlace(
  paths: readonly (readonly string[])[],
  totalBytes: number,
): Promise<HiddenPlace> {
  if (canStoreInBrowser()) return await openBrowserPlace(paths, totalBytes);
  if (totalBytes > MAX_MEMORY_BYTES) throw new NoPlace('There is no place for so much.');
  return placeInMemory(paths);
}

function placeOfFile(handle: FileSystemFileHandle): SavePlace {
  return {
    kind: 'file',
    name: handle.name,
    begin: async () => toSink(await handle.createWritable()),
    find: () => handle.getFile(),
  };
}

function placeInFolder(folder: FileSystemDirectoryHandle, paths: readonly (readonly string[])[]): SavePlace {
  const handles = new Map<number, FileSystemFileHandle>();
  return {
    kind: 'folder',
    name: folder.name,
    begin: async (file) => {
      // A file that we have created before is written again from its beginning.
      const handle = handles.get(file) ?? (await makeFile(folder, paths[file] ?? []));
      handles.set(file, handle);
      return toSink(await handle.createWritable());
    },
    find: async (file) => await handles.get(file)?.getFile(),
  };
}

/** Creates a file without ever replacing an existing file of the user. */
async function makeFile(
  folder: FileSystemDirectoryHandle,
  path: readonly string[],
): Promise<FileSystemFileHandle> {
  let parent = folder;
  for (const name of path.slice(0, -1)) parent = await parent.getDirectoryHandle(name, { create: true });
  const name = path.at(-1) ?? '_';
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : numberName(name, count);
    if (!(await isTaken(parent, candidate))) return await parent.getFileHandle(candidate, { create: true });
  }
}

async function isTaken(parent: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await parent.getFileHandle(name);
    return true;
  } catch (error) {
    // If a folder has that name, the error is a TypeMismatchError.
    return !(error instanceof DOMException && error.name === 'NotFoundError');
  }
}

function placeInMemory(paths: readonly (readonly string[])[]): HiddenPlace {
  const files = new Map<number, File>();
  return {
    kind: 'memory',
    name: undefined,
    begin: async (file) => {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      return {
        write: async (bytes) => void parts.push(bytes),
        close: async () => void files.set(file, new File(parts, paths[file]?.at(-1) ?? '_')),
        abort: async () => void parts.splice(0),
      };
    },
    find: async (file) => files.get(file),
    remove: async (file) => void files.delete(file),
    openArchive: async () => archiveInMemory(),
  };
}

/** Collects blobs, because browsers can move blobs to disk, but not arrays. */
function archiveInMemory(): ArchivePlace {
  let parts: Blob[] = [];
  let last: Uint8Array<ArrayBuffer>[] = [];
  let lastBytes = 0;
  const flush = () => {
    parts.push(new Blob(last));
    last = [];
    lastBytes = 0;
  };
  return {
    target: new WritableStream({
      write: (part) => {
        last.push(part);
        lastBytes += part.length;
        if (lastBytes >= PART_BYTES) flush();
      },
    }),
    finish: async (name) => {
      flush();
      return new File(parts, name, { type: 'application/zip' });
    },
    abandon: async () => {
      parts = [];
      last = [];
    },
  };
}
