import { Failure } from '../../base/failure.ts';
import { joinPath, type LogicalPath, segmentsOf } from '../../base/text/names/logical-path.ts';
import { DavError } from '../dav-error.ts';

/** The address of a drive's root. */
export const DAV_ROOT = '/dav/';

/** A path in the drive, as read from an address. */
interface DavTarget {
  readonly path: LogicalPath;
  /** Whether the address ends with a slash. Only a directory's address should. */
  readonly hasSlash: boolean;
}

/** The address of an entry. A directory's address ends with a slash (RFC 4918, section 5.2). */
export function toHref(path: LogicalPath, isDirectory: boolean): string {
  if (path === '/') return DAV_ROOT;
  return DAV_ROOT + segmentsOf(path).map(encodeName).join('/') + (isDirectory ? '/' : '');
}

/** The address of a member of a directory, whose address ends with a slash. */
export function toMemberHref(directoryHref: string, name: string, isDirectory: boolean): string {
  return directoryHref + encodeName(name) + (isDirectory ? '/' : '');
}

/** Names that need neither URL encoding nor XML escaping. */
const PLAIN = /^[\w.~-]*$/;

/** One segment of an address. Names have no lone surrogates, which could not be encoded. */
function encodeName(name: string): string {
  return PLAIN.test(name) ? name : encodeURIComponent(name);
}

/**
 * Reads the path from an address. The segments are decoded only once, after the address is split. So an
 * encoded slash, dot, backslash or NUL becomes part of a name, which is then rejected if it is not valid.
 * @param address the path of a URL as it was sent, perhaps with a query
 * @throws Failure `invalid` for a name that the drive does not allow, or that is not UTF-8; DavError 502
 *   outside of /dav/
 */
export function readTarget(address: string): DavTarget {
  if (address.includes('#')) throw new Failure('invalid', 'The address must not have a fragment.');
  const [encoded = ''] = address.split('?', 1);
  if (encoded !== '/dav' && !encoded.startsWith(DAV_ROOT)) throw notHere();
  const segments = encoded.slice(DAV_ROOT.length).split('/');
  const hasSlash = segments.at(-1) === '';
  return { path: joinPath(segments.filter((segment) => segment !== '').map(decodeSegment)), hasSlash };
}

/**
 * Reads an address in a header: an absolute URL or a path (RFC 4918, section 8.3).
 * @param hosts the host names, with ports, by which this server is known
 * @throws Failure, DavError 502 for another server (section 9.9.4)
 */
export function readReference(reference: string, hosts: readonly string[]): DavTarget {
  const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(reference);
  if (absolute === null) {
    if (!reference.startsWith('/') || reference.startsWith('//')) {
      throw new Failure('invalid', 'The address must be a URL or an absolute path.');
    }
    return readTarget(reference);
  }
  const [, scheme = '', authority = '', address = ''] = absolute;
  if (!/^https?$/i.test(scheme) || !hosts.some((host) => isSameHost(host, authority, scheme)))
    throw notHere();
  return readTarget(address);
}

/** The default port of the scheme may be left out. */
function isSameHost(host: string, authority: string, scheme: string): boolean {
  const bare = (text: string) =>
    text.toLowerCase().replace(scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/, '');
  return bare(host) === bare(authority);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw new Failure('invalid', 'The address is not encoded as UTF-8.', { cause: error });
  }
}

function notHere(): DavError {
  return new DavError(502, 'The destination is not in this drive.');
}
