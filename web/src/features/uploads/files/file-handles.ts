import { FileChanged, NotPermitted } from '../upload-failures.ts';

// Supported by some browsers and missing in TypeScript's DOM types.
interface Permission {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}
interface HandleSource {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
interface Pickers {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>;
}

/** The handle of a dropped item; must be called while the event is being handled. */
export async function handleOf(source: DataTransferItem): Promise<FileSystemHandle | undefined> {
  const { getAsFileSystemHandle } = source as HandleSource;
  return (await getAsFileSystemHandle?.call(source).catch(() => null)) ?? undefined;
}

export function canPickHandles(): boolean {
  return (window as Pickers).showOpenFilePicker !== undefined;
}

/** Lets the user choose files that can be opened again later. Undefined if the user cancels. */
export async function pickHandles(): Promise<readonly FileSystemFileHandle[]> {
  try {
    return (await (window as Pickers).showOpenFilePicker?.({ multiple: true })) ?? [];
  } catch {
    return [];
  }
}

export async function mayRead(handle: FileSystemHandle): Promise<boolean> {
  return (
    (await (handle as Permission).queryPermission?.({ mode: 'read' }).catch(() => 'denied')) === 'granted'
  );
}

/** Asks the user for permission. Must be called from a click. */
export async function askToRead(handle: FileSystemHandle): Promise<boolean> {
  return (
    (await (handle as Permission).requestPermission?.({ mode: 'read' }).catch(() => 'denied')) === 'granted'
  );
}

/** The chosen file, if it is unchanged. @throws FileChanged, NotPermitted */
export async function openAgain(
  root: FileSystemHandle,
  {
    folders,
    fileName,
    size,
    lastModified,
  }: {
    readonly folders: readonly string[];
    readonly fileName: string;
    readonly size: number;
    readonly lastModified: number;
  },
): Promise<File> {
  if (!(await mayRead(root))) throw new NotPermitted();
  try {
    const file = await (await findHandle(root, folders, fileName)).getFile();
    if (file.size === size && file.lastModified === lastModified) return file;
  } catch (error) {
    throw new FileChanged({ cause: error });
  }
  throw new FileChanged();
}

async function findHandle(
  root: FileSystemHandle,
  folders: readonly string[],
  fileName: string,
): Promise<FileSystemFileHandle> {
  if (root instanceof FileSystemFileHandle) return root;
  if (!(root instanceof FileSystemDirectoryHandle)) throw new FileChanged();
  let directory = root;
  // The first folder is the root itself.
  for (const folder of folders.slice(1)) directory = await directory.getDirectoryHandle(folder);
  return await directory.getFileHandle(fileName);
}
