// The service worker of the web client. It caches the files of the client, so that the client opens without a
// connection. It also receives what other apps on a phone share, and shows notifications. It caches no other
// data of the user.
import { isKeptFile, isPage, SHARE_TARGET } from './addresses.ts';
import { listenForPush } from './notifications.ts';
import { takeShared } from './shared-files.ts';

declare const self: ServiceWorkerGlobalScope;
/** Identifies the build; set by `tools/build/build-web.ts`, like the files that the first page needs. */
declare const BUILD: string;
declare const FIRST_FILES: readonly string[];

const PREFIX = 'holdall-client-';
const OWN = PREFIX + BUILD;
/** The URL of the page that is served for all addresses of the client. */
const PAGE = '/drive';

self.addEventListener('install', (event) => {
  event.waitUntil(cacheFirstFiles());
});

// A new version waits until no page uses the old one, or the user agrees to reload.
self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([deleteOldFiles(), self.registration.navigationPreload?.enable()]));
});

listenForPush();

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === 'POST' && url.pathname === SHARE_TARGET) {
    event.respondWith(takeShared(request));
  } else if (request.method === 'GET' && isKeptFile(url.pathname)) {
    event.respondWith(fromCacheFirst(event));
  } else if (request.mode === 'navigate' && request.method === 'GET' && isPage(url.pathname)) {
    event.respondWith(fromServiceFirst(event));
  }
});

async function cacheFirstFiles(): Promise<void> {
  const cache = await caches.open(OWN);
  const page = new Request(PAGE, { headers: { accept: 'text/html' }, cache: 'reload' });
  await cache.addAll([page, ...FIRST_FILES]);
}

/** Keeps the files of the previous version, because open pages may still need more of them. */
async function deleteOldFiles(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

/** For files whose name contains a hash of their content, so a cached file is never out of date. */
async function fromCacheFirst(event: FetchEvent): Promise<Response> {
  const { request } = event;
  // Searches all caches, because a page of the previous version may still be open.
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  // Partial responses are not cached. If there is no space for the file, it is used without caching.
  if (response.status === 200) {
    const copy = response.clone();
    const keeping = caches.open(OWN).then((cache) => cache.put(request, copy));
    event.waitUntil(keeping.catch(() => undefined));
  }
  return response;
}

/** Loads the page from the service whenever it is reachable, so that a new version is never missed. */
async function fromServiceFirst(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await event.preloadResponse;
    return preloaded instanceof Response ? preloaded : await fetch(event.request);
  } catch (error) {
    const kept = await (await caches.open(OWN)).match(PAGE, { ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}
