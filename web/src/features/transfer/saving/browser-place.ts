// The origin private file system: on disk, but visible to this page only. The user saves the files from
// there.
import { type HiddenPlace, NoPlace, toSink } from './save-place.ts';

const FOLDER = 'transfers';
/** The file name of the archive. The other files have numbers as names. */
const ARCHIVE = 'archive';

export function canStoreInBrowser(): boolean {
  // Pages without TLS have no storage, contrary to its type. Some browsers can write files in workers only.
  const storage: StorageManager | undefined = navigator.storage;
  return storage?.getDirectory !== undefined && 'createWritable' in FileSystemFileHandle.prototype;
}

/** @throws NoPlace if the browser offers too little space */
export async function openBrowserPlace(
  paths: readonly (readonly string[])[],
  totalBytes: number,
): Promise<HiddenPlace> {
  const root = await navigator.storage.getDirectory();
  const all = await root.getDirectoryHandle(FOLDER, { create: true });
  await removeLeftovers(all);
  await checkRoom(totalBytes);
  const id = crypto.randomUUID();
  lockDirectory(id);
  const folder = await all.getDirectoryHandle(id, { create: true });
  const handles = new Map<number, FileSystemFileHandle>();
  return {
    kind: 'browser',
    name: undefined,
    begin: async (file) => {
      const handle = await folder.getFileHandle(String(file), { create: true });
      handles.set(file, handle);
      return toSink(await handle.createWritable());
    },
    find: async (file) => {
      const kept = await handles.get(file)?.getFile();
      // The file stays on disk and gets its final name.
      return kept && new File([kept], paths[file]?.at(-1) ?? '_');
    },
    remove: async (file) => {
      if (handles.delete(file)) await folder.removeEntry(String(file)).catch(() => undefined);
    },
    openArchive: async (bytes) => {
      await checkRoom(bytes);
      const handle = await folder.getFileHandle(ARCHIVE, { create: true });
      // `abandon` aborts the sink, not its stream: failed packing may still hold the lock of the stream.
      const sink = toSink(await handle.createWritable());
      return {
        target: new WritableStream({ write: (bytes) => sink.write(bytes), close: () => sink.close() }),
        finish: async (name) => new File([await handle.getFile()], name, { type: 'application/zip' }),
        abandon: async () => {
          // A file that is open for writing can't be removed.
          await sink.abort().catch(() => undefined);
          await folder.removeEntry(ARCHIVE).catch(() => undefined);
        },
      };
    },
  };
}

/** @throws NoPlace */
async function checkRoom(bytes: number): Promise<void> {
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate();
  if (bytes > quota - usage) throw new NoPlace('The browser gives no room for so much.');
}

/** Locks the directory for as long as the page is open. */
function lockDirectory(id: string): void {
  void navigator.locks.request(lockOf(id), () => new Promise(() => undefined));
}

/** Removes directories of closed pages. */
async function removeLeftovers(all: FileSystemDirectoryHandle): Promise<void> {
  for await (const id of all.keys()) {
    await navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
      if (lock !== null) await all.removeEntry(id, { recursive: true }).catch(() => undefined);
    });
  }
}

function lockOf(id: string): string {
  return `holdall.transfer.${id}`;
}
