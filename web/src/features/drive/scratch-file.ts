/** A temporary file for a download until the browser has saved it. */
interface ScratchFile {
  readonly take: (bytes: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal) => Promise<Blob>;
  readonly drop: () => Promise<void>;
}

const DIRECTORY = 'folder-downloads';
/** Removes files of pages that were closed in between. */
const OLD_MS = 24 * 60 * 60_000;

/**
 * A file in the origin private file system. Without it (no TLS, except on localhost) the browser gets the
 * whole response at once and decides by itself what it holds in memory.
 */
export async function openScratchFile(): Promise<ScratchFile> {
  const directory = await openDirectory().catch(() => undefined);
  if (directory === undefined) return WITHOUT;
  const name = String(Date.now() + Math.random());
  const handle = await directory.getFileHandle(name, { create: true });
  if (!('createWritable' in handle)) return WITHOUT;
  return {
    take: async (bytes, signal) => {
      await bytes.pipeTo(await handle.createWritable(), { signal });
      return handle.getFile();
    },
    drop: () => directory.removeEntry(name).catch(() => undefined),
  };
}

const WITHOUT: ScratchFile = {
  take: (bytes) => new Response(bytes).blob(),
  drop: async () => undefined,
};

async function openDirectory(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(DIRECTORY, { create: true });
  for await (const name of directory.keys()) {
    if (Date.now() - Number(name) > OLD_MS) await directory.removeEntry(name);
  }
  return directory;
}
