import type { Instant } from '../../base/clock.ts';
import { toHttpDate, toTimestamp } from '../../base/dates.ts';
import { toContentType } from '../../base/text/media-type.ts';
import { type Entry, etagOf, type ListedEntry } from '../../drive/drive.ts';
import { DAV, isName, keyOf, OWNCLOUD, type XmlName } from '../xml/names.ts';
import { escapeXml } from '../xml/write-xml.ts';

type DescribedColumns = Pick<
  Entry,
  'name' | 'isDirectory' | 'blobId' | 'size' | 'contentType' | 'createdAt' | 'modifiedAt'
>;

/** What the properties of an entry, or of the list of shared drives, are computed from. */
export interface DescribedEntry {
  readonly entry: Omit<DescribedColumns, 'createdAt' | 'modifiedAt'> & {
    /** Undefined for the list of shared drives. */
    readonly createdAt: Instant | undefined;
    readonly modifiedAt: Instant | undefined;
  };
  readonly sha256: ListedEntry['sha256'];
  /** Whether it cannot be locked or changed: the list of shared drives, and their roots. */
  readonly isFixed: boolean;
  /** Writes the locks that cover the entry. */
  readonly activeLocks: () => string;
}

export interface PropertyContext {
  /** How many bytes the drive may still store, and how many it stores. Undefined outside of drives. */
  readonly quota: { readonly availableBytes: number; readonly usedBytes: number } | undefined;
}

interface LiveProperty {
  readonly name: XmlName;
  /** Whether `allprop` includes it. */
  readonly isInAll: boolean;
  /** The content of its element; undefined if the entry does not have the property. */
  readonly content: (entry: DescribedEntry, context: PropertyContext) => string | undefined;
}

const SUPPORTED_LOCKS = ['exclusive', 'shared']
  .map(
    (scope) =>
      `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('');

/** The properties that are computed (RFC 4918, section 15; RFC 4331), in the order in which they are sent. */
const LIVE: readonly LiveProperty[] = [
  davProperty('resourcetype', ({ entry }) => (entry.isDirectory ? '<D:collection/>' : '')),
  davProperty('displayname', ({ entry }) => escapeXml(entry.name)),
  davProperty('creationdate', ({ entry }) =>
    entry.createdAt === undefined ? undefined : toTimestamp(entry.createdAt),
  ),
  davProperty('getlastmodified', ({ entry }) =>
    entry.modifiedAt === undefined ? undefined : toHttpDate(entry.modifiedAt),
  ),
  davProperty('getcontentlength', ({ entry }) => (entry.isDirectory ? undefined : `${entry.size}`)),
  davProperty('getcontenttype', ({ entry }) =>
    entry.isDirectory ? undefined : escapeXml(toContentType(entry.contentType)),
  ),
  davProperty('getetag', ({ entry }) => (entry.isDirectory ? undefined : `"${etagOf(entry)}"`)),
  davProperty('supportedlock', ({ isFixed }) => (isFixed ? '' : SUPPORTED_LOCKS)),
  davProperty('lockdiscovery', ({ activeLocks }) => activeLocks()),
  // RFC 4331, sections 3 and 4: computing them may be expensive, so they are sent only if the client names
  // them.
  {
    ...davProperty('quota-available-bytes', (_, { quota }) => quota && `${quota.availableBytes}`),
    isInAll: false,
  },
  { ...davProperty('quota-used-bytes', (_, { quota }) => quota && `${quota.usedBytes}`), isInAll: false },
  {
    name: { namespace: OWNCLOUD, local: 'checksums' },
    isInAll: false,
    content: ({ sha256 }) =>
      sha256 === null ? undefined : `<oc:checksum>SHA256:${sha256.toLowerCase()}</oc:checksum>`,
  },
];

const BY_KEY = new Map(LIVE.map((property) => [keyOf(property.name), property]));

export const PROPERTIES_IN_ALL = LIVE.filter(({ isInAll }) => isInAll);

export function findLiveProperty(name: XmlName): LiveProperty | undefined {
  return BY_KEY.get(keyOf(name));
}

export function isQuota(name: XmlName): boolean {
  return isName(name, DAV, 'quota-available-bytes') || isName(name, DAV, 'quota-used-bytes');
}

export function isChecksums(name: XmlName): boolean {
  return isName(name, OWNCLOUD, 'checksums');
}

function davProperty(local: string, content: LiveProperty['content']): LiveProperty {
  return { name: { namespace: DAV, local }, isInAll: true, content };
}
