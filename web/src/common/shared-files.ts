// What other apps of a phone have shared with this one. The service worker keeps it (`web/service-worker`)
// until it is in the drive or was discarded, so that neither a closed page nor an upload that fails loses it.

/** The cache of shared files. Each has an address of its own, and its name in a header. */
const CACHE = 'holdall-shared';
const NAME_HEADER = 'x-name';

export interface SharedFile {
  readonly key: string;
  readonly file: File;
}

/** Keeps files beside those that nobody has saved yet. */
export async function storeSharedFiles(files: readonly File[]): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const file of files) {
    const headers = {
      'content-type': file.type || 'application/octet-stream',
      'last-modified': new Date(file.lastModified).toUTCString(),
      [NAME_HEADER]: encodeURIComponent(file.name),
    };
    await cache.put(`/shared-file/${crypto.randomUUID()}`, new Response(file, { headers }));
  }
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
      return { key: request.url, file };
    }),
  );
}

/** Called when a file is in the drive, or is not wanted. */
export async function removeShared({ key }: SharedFile): Promise<void> {
  await (await caches.open(CACHE)).delete(key);
}

/** Deletes all of them: another user may use this browser next. */
export async function removeAllShared(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(CACHE);
}
