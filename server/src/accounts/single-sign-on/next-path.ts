const MAX_LENGTH = 2_048;

/**
 * A path of the service with its query, where a browser may go after a login; undefined for everything else. A
 * link to a login must not lead to other sites afterwards.
 */
export function toNextPath(text: string | undefined): string | undefined {
  // Browsers take backslashes for slashes, and remove tabs and line breaks.
  if (text === undefined || text.length > MAX_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text))
    return undefined;
  const url = new URL(text, 'http://self.invalid');
  if (url.origin !== 'http://self.invalid') return undefined;
  const path = url.pathname + url.search;
  // Other letters than those of ASCII become up to nine characters, and browsers drop cookies of more than 4 KiB.
  if (path.length > MAX_LENGTH) return undefined;
  // Segments such as ".." can leave two slashes at the beginning.
  return path.startsWith('//') ? undefined : path;
}
