// What other apps of the phone have shared. The service worker keeps it until this page takes it: see
// `web/service-worker/shared-files.ts`.

const CACHE = 'holdall-shared';
const NAME_HEADER = 'x-name';

/** The shared files; none in a browser without service workers. */
export async function readShared(): Promise<readonly File[]> {
  if (!('caches' in globalThis)) return [];
  const cache = await caches.open(CACHE);
  const requests = await cache.keys();
  return await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request);
      const name = decodeURIComponent(response?.headers.get(NAME_HEADER) ?? '') || 'file';
      const type = response?.headers.get('content-type') ?? '';
      const lastModified = Date.parse(response?.headers.get('last-modified') ?? '') || Date.now();
      return new File([(await response?.blob()) ?? ''], name, { type, lastModified });
    }),
  );
}

/** Called when they were taken, or are not wanted. */
export async function removeShared(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(CACHE);
}
