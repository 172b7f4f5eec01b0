/** Where a phone sends what another app shares with this one; as in the manifest. */
export const SHARE_TARGET = '/share-target';

/** Addresses that are not pages of the client: the interface for programs, and files. */
const NOT_PAGES = /^\/(?:api|dav|_dl|assets|web|health|metrics|service-worker\.js)(?:[/?]|$)/;

export function isPage(pathname: string): boolean {
  return !NOT_PAGES.test(pathname);
}

/** The built files of the client. */
export function isKeptFile(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}
