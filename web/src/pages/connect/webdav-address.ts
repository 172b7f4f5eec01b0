/** The WebDAV address of the user's own drive. */
export function webdavAddress(): string {
  return new URL('/dav/', location.origin).href;
}
