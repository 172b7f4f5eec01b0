// Files that other apps on a phone have shared with this one. The service worker (`web/service-worker`) keeps
// them until they are in the drive or discarded, so a closed page or a failed upload does not lose them.

/** The cache of shared files. Each file has its own URL, and its name in a header. */
const CACHE = 'holdall-shared';
const NAME_HEADER = 'x-name';
const SHARED_AT_HEADER = 'x-shared-at';

/** The maximum number of files that wait to be saved. */
const MAX_FILES = 200;
const MAX_BYTES = 4 * 1024 ** 3;

export interface SharedFile {
  readonly key: string;
  readonly file: File;
  /** The same number for all files that were shared at once. */
  readonly sharedAt: number;
}

/**
 * Keeps files in addition to those that are not saved yet.
 * @returns false if too many files or bytes would be waiting; then none of the new files is kept
 */
export async function storeSharedFiles(files: readonly File[]): Promise<boolean> {
  return await navigator.locks.request(CACHE, async () => {
    const waiting = await readShared();
    const all = [...waiting.map(({ file }) => file), ...files];
    const bytes = all.reduce((sum, { size }) => sum + size, 0);
    if (all.length > MAX_FILES || bytes > MAX_BYTES) return false;
    // Always later than all others, even if the clock was set back.
    const sharedAt = Math.max(Date.now(), ...waiting.map((other) => other.sharedAt + 1));
    const cache = await caches.open(CACHE);
    for (const file of files) {
      const headers = {
        'content-type': file.type || 'application/octet-stream',
        'last-modified': new Date(file.lastModified).toUTCString(),
        [NAME_HEADER]: encodeURIComponent(file.name),
        [SHARED_AT_HEADER]: String(sharedAt),
      };
      await cache.put(`/shared-file/${crypto.randomUUID()}`, new Response(file, { headers }));
    }
    return true;
  });
}

/** The files of the latest share. */
export function newestOf(files: readonly SharedFile[]): readonly SharedFile[] {
  const newest = Math.max(...files.map(({ sharedAt }) => sharedAt));
  return files.filter(({ sharedAt }) => sharedAt === newest);
}

/** The shared files; none in a browser without service workers. */
export async function readShared(): Promise<readonly SharedFile[]> {
  // Opening the cache would create it.
  if (!('caches' in globalThis) || !(await caches.has(CACHE))) return [];
  const cache = await caches.open(CACHE);
  const requests = await cache.keys();
  return await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request);
      const name = decodeURIComponent(response?.headers.get(NAME_HEADER) ?? '') || 'file';
      const type = response?.headers.get('content-type') ?? '';
      const lastModified = Date.parse(response?.headers.get('last-modified') ?? '') || Date.now();
      const file = new File([(await response?.blob()) ?? ''], name, { type, lastModified });
      const sharedAt = Number(response?.headers.get(SHARED_AT_HEADER) ?? 0);
      return { key: request.url, file, sharedAt };
    }),
  );
}

/** Called when a file is in the drive or was discarded. */
export async function removeShared({ key }: SharedFile): Promise<void> {
  await (await caches.open(CACHE)).delete(key);
}

/** Deletes all shared files, because another user may use this browser next. */
export async function removeAllShared(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(CACHE);
}
