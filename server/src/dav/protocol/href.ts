import { Failure } from '../../base/failure.ts';
import { MAX_NAME_BYTES, toFileName } from '../../base/text/names/file-name.ts';
import { isAtOrBelow, joinPath, type LogicalPath, segmentsOf } from '../../base/text/names/logical-path.ts';
import { DavError } from '../dav-error.ts';

/** The address of the root of the caller's personal drive. */
export const DAV_ROOT = '/dav/';
/** The address of the list of the caller's shared drives. */
export const SHARED_DRIVES = '/drives/';

/** An entry's place, as read from an address. */
export interface EntryTarget {
  /** The name of the shared drive in the address; undefined for the personal drive. */
  readonly driveName: string | undefined;
  /** The address of the drive's root, which ends with a slash. */
  readonly root: string;
  /** The path in the drive. */
  readonly path: LogicalPath;
  /** Whether the address ends with a slash. Only a directory's address should. */
  readonly hasSlash: boolean;
}

/** What an address names: the list of shared drives, or an entry. */
export type DavTarget = 'drives' | EntryTarget;

/** Whether it is the root of a shared drive, a member of the list of shared drives. */
export function isSharedRoot({ driveName, path }: EntryTarget): boolean {
  return driveName !== undefined && path === '/';
}

/**
 * The address of an entry. A directory's address ends with a slash (RFC 4918, section 5.2).
 * @param root the address of the drive's root
 */
export function toHref(root: string, path: LogicalPath, isDirectory: boolean): string {
  if (path === '/') return root;
  return root + segmentsOf(path).map(encodeName).join('/') + (isDirectory ? '/' : '');
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
 * Reads the drive and the path from an address. The segments are decoded only once, after the address is split. So an
 * encoded slash, dot, backslash or NUL becomes part of a name, which is then rejected if it is not valid.
 * @param address the path of a URL as it was sent, perhaps with a query
 * @throws Failure `invalid` for a name that the drive does not allow, or that is not UTF-8; DavError 502
 *   outside of /dav/ and /drives/
 */
export function readTarget(address: string): DavTarget {
  if (address.includes('#')) throw new Failure('invalid', 'The address must not have a fragment.');
  const [encoded = ''] = address.split('?', 1);
  const hasSlash = encoded.endsWith('/');
  if (isAtOrBelow(encoded, '/dav')) {
    const path = joinPath(segmentsBelow(encoded, DAV_ROOT).map(decodeSegment));
    return { driveName: undefined, root: DAV_ROOT, path, hasSlash };
  }
  if (!isAtOrBelow(encoded, '/drives')) throw notHere();
  const [name, ...names] = segmentsBelow(encoded, SHARED_DRIVES);
  if (name === undefined) return 'drives';
  const driveName = toDriveName(decodeSegment(name));
  const root = toMemberHref(SHARED_DRIVES, driveName, true);
  return { driveName, root, path: joinPath(names.map(decodeSegment)), hasSlash };
}

function segmentsBelow(encoded: string, root: string): readonly string[] {
  return encoded
    .slice(root.length)
    .split('/')
    .filter((segment) => segment !== '');
}

/** The name and the id in the address of a shared drive, if the address has an id. */
const NAME_WITH_ID = /^(.+) \(([1-9]\d{0,14})\)$/s;

/** Reads `Name (ID)`, the name that tells a shared drive from another one. */
export function readNameWithId(driveName: string): { name: string; id: number } | undefined {
  const [, name, id] = NAME_WITH_ID.exec(driveName) ?? [];
  return name === undefined ? undefined : { name, id: Number(id) };
}

export function toNameWithId({ name, id }: { readonly name: string; readonly id: number }): string {
  return `${name} (${id})`;
}

/**
 * A drive's name follows the rules for names of entries. Only the id makes it longer.
 * @throws Failure `invalid`
 */
function toDriveName(text: string): string {
  const parts = Buffer.byteLength(text) > MAX_NAME_BYTES ? readNameWithId(text) : undefined;
  return parts === undefined ? toFileName(text) : toNameWithId({ ...parts, name: toFileName(parts.name) });
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
  return new DavError(502, 'The destination is not on this server.');
}
