import { handleOf } from './file-handles.ts';

/** Dropped files and folders, collected during the event: afterwards the page can no longer access them. */
export interface CollectedDrop {
  readonly entries: readonly {
    readonly entry: FileSystemEntry;
    readonly handle: Promise<FileSystemHandle | undefined>;
  }[];
  /** Files without an entry in any file system. */
  readonly files: readonly File[];
}

/** Must be called while the event is being handled. */
export function collectDrop(transfer: DataTransfer): CollectedDrop {
  const sources = Array.from(transfer.items).filter(({ kind }) => kind === 'file');
  const entries: { entry: FileSystemEntry; handle: Promise<FileSystemHandle | undefined> }[] = [];
  const files: File[] = [];
  for (const source of sources) {
    const entry = source.webkitGetAsEntry();
    const file = entry === null ? source.getAsFile() : null;
    if (entry !== null) entries.push({ entry, handle: handleOf(source) });
    if (file !== null) files.push(file);
  }
  return { entries, files };
}
