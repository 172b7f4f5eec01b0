// Files and whole folders that the user dropped or picked, on this device or in the drive.

/** A file of this device or of the drive. Its bytes can be read in parts. */
export interface ReadableFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** @returns a part whose bytes are read only on demand */
  slice(start: number, end: number): Pick<Blob, 'arrayBuffer'>;
}

export interface ChosenFile {
  readonly file: ReadableFile;
  /** Its folders and name; null for a file that was not chosen with a folder. */
  readonly relativePath: string | null;
}

export const MAX_FILES = 1_000;

export function readPicked(files: FileList): readonly ChosenFile[] {
  return Array.from(files, (file) => ({ file, relativePath: file.webkitRelativePath || null }));
}

/** Reads folders completely, up to the maximum number of files. Must be called in the drop event. */
export async function readDropped(dropped: DataTransfer): Promise<readonly ChosenFile[]> {
  // The dropped entries become invalid after the event, so they are collected now.
  const entries = Array.from(dropped.items, (item) =>
    item.kind === 'file' ? item.webkitGetAsEntry() : null,
  );
  const chosen: ChosenFile[] = [];
  for (const entry of entries) if (entry !== null) await readEntry(entry, chosen);
  return chosen;
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** Sorts as people expect. Browsers list the files of folders in disk order. */
export function sortChosen(chosen: readonly ChosenFile[]): readonly ChosenFile[] {
  const pathOf = ({ file, relativePath }: ChosenFile) => relativePath ?? file.name;
  return chosen.toSorted((one, other) => BY_NAME.compare(pathOf(one), pathOf(other)));
}

async function readEntry(entry: FileSystemEntry, chosen: ChosenFile[]): Promise<void> {
  if (chosen.length > MAX_FILES) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    const path = entry.fullPath.replace(/^\/+/, '');
    chosen.push({ file, relativePath: path.includes('/') ? path : null });
  } else if (isDirectory(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // Each call of `readEntries` returns only a part of the folder.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (part.length === 0) return;
      for (const child of part) await readEntry(child, chosen);
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
