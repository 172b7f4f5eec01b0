const MAX_LENGTH = 2_048;

/**
 * The path and query of the service to open after a login; undefined for everything else, so that a link to
 * the login page cannot redirect to another site.
 */
export function toNextPath(text: string | undefined): string | undefined {
  // Browsers treat backslashes as slashes, and remove tabs and line breaks.
  if (text === undefined || text.length > MAX_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text))
    return undefined;
  const url = new URL(text, 'http://self.invalid');
  if (url.origin !== 'http://self.invalid') return undefined;
  const path = url.pathname + url.search;
  // Checked again, because percent-encoding turns one non-ASCII character into up to nine, and browsers drop
  // cookies of over 4 KiB.
  if (path.length > MAX_LENGTH) return undefined;
  // Removing segments such as ".." can leave two slashes at the beginning.
  return path.startsWith('//') ? undefined : path;
}
