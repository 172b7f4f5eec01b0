import { removeShared, type SharedFile } from '../../../common/shared-files.ts';

/** A file, or an empty folder, that the user has chosen, dropped or pasted. */
export interface Picked {
  /** Undefined for an empty folder. */
  readonly file: File | undefined;
  /** The folders of the path, starting with the chosen one. An empty folder's own name comes last. */
  readonly folders: readonly string[];
  /** The handle with which the page can open the file again after a reload. */
  readonly root?: Root | undefined;
  /** Called once the file is in the drive, or the user has decided to skip it. */
  readonly onSettled?: (() => void) | undefined;
}

/** A chosen folder, in a form that can be stored. */
export interface Root {
  readonly id: string;
  readonly handle: FileSystemHandle;
}

/** The target of a chosen file. */
export interface Place {
  readonly directoryPath: string;
  readonly name: string;
}

export function placeIn(directoryPath: string, { file, folders }: Picked): Place {
  const base = directoryPath === '/' ? '' : directoryPath;
  const names = folders.map((folder) => `/${folder}`);
  if (file !== undefined) return { directoryPath: base + names.join('') || '/', name: file.name };
  return { directoryPath: base + names.slice(0, -1).join('') || '/', name: folders.at(-1) ?? '' };
}

/** Reads the files of an input. A folder input provides the folders of each file. */
export function readInput(files: Iterable<File>): readonly Picked[] {
  return Array.from(files, (file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1),
  }));
}

/** Converts a file that another app has shared. Once uploaded, it is deleted from the browser's storage. */
export function toPicked(shared: SharedFile): Picked {
  // A failure does no harm: the file is offered again.
  const onSettled = () => void removeShared(shared).catch(() => undefined);
  return { file: shared.file, folders: [], onSettled };
}
