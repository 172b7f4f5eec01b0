/** A file, or an empty folder, that somebody has picked, dropped or pasted. */
export interface Picked {
  /** Undefined for a folder with nothing in it. */
  readonly file: File | undefined;
  /** Of the folders that it lies in, from the one that was picked; of an empty folder with its own. */
  readonly folders: readonly string[];
  /** Where the browser will still find it when the page has been loaded anew. */
  readonly root?: Root | undefined;
}

/** What was picked as a whole, in a form that can be kept. */
export interface Root {
  readonly id: string;
  readonly handle: FileSystemHandle;
}

/** Where a picked thing goes. */
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

/** Files of an input: one that picks folders says in which of them each file lies. */
export function readInput(files: Iterable<File>): readonly Picked[] {
  return Array.from(files, (file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1),
  }));
}
