import type { Server } from '../../../src/http/server.ts';
import { PAGES } from '../../../src/site/web-client-routes.ts';

type MountedRoute = ReturnType<Server['listMountedRoutes']>[number];

/** The pages and files of the web client. They are mounted only if it was built. */
const WEB_CLIENT_URL = new RegExp(
  `^/(?:(?:${PAGES.join('|')})(?:/\\*)?|(?:assets|web|frames)/\\*|service-worker\\.js)$`,
);

/**
 * The mounted routes of the API: all except the pages of the web client and of the API documentation, and
 * WebDAV, which has neither the envelope nor one address per call. See {@link listDavRoutes}.
 */
export function listApiRoutes(server: Server): readonly MountedRoute[] {
  return server
    .listMountedRoutes()
    .filter(
      (route) => !route.url.startsWith('/api/docs') && !WEB_CLIENT_URL.test(route.url) && !isDav(route),
    );
}

/** The mounted routes of WebDAV. */
export function listDavRoutes(server: Server): readonly MountedRoute[] {
  return server.listMountedRoutes().filter(isDav);
}

function isDav({ url, method, access }: MountedRoute): boolean {
  if (url === '/') return ['OPTIONS', 'PROPFIND'].includes(method);
  // The web client has public pages at some of these addresses.
  return /^\/(?:dav|drives)(?:\/\*)?$/.test(url) && access === 'login';
}
