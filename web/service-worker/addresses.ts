/** The path to which a phone posts what other apps share with this one, as in the manifest. */
export const SHARE_TARGET = '/share-target';

/**
 * Matches paths that are not pages of the client. Set by `tools/build/build-web.ts` to that of the service.
 */
declare const NOT_PAGES: string;

export function isPage(pathname: string, notPages = new RegExp(NOT_PAGES)): boolean {
  return !notPages.test(pathname);
}

/** The built files of the client. */
export function isKeptFile(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}
