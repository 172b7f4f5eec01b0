import type { Instant } from '../../base/clock.ts';
import { parseFileTime, parseUnixTime } from '../../base/file-times.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from '../../drive/drive.ts';
import { checkTokens } from '../locks/locks.ts';
import { findLiveProperty } from '../properties/live-properties.ts';
import { bytesOf, MAX_BYTES_OF_ENTRY, sumBytes } from '../properties/merge.ts';
import {
  type DeadProperty,
  findDeadProperties,
  MAX_BYTES_OF_DRIVE,
  ROW_BYTES,
  replaceDeadProperties,
  sumDeadBytes,
} from '../properties/queries.ts';
import { toHref } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { findResource, getEntry, getMember, type Resource } from '../resource.ts';
import { type PropertyUpdate, readPropertyUpdate } from '../xml/bodies.ts';
import { textOf } from '../xml/element.ts';
import { MULTISTATUS_END, MULTISTATUS_START, propstat, response } from '../xml/multistatus.ts';
import { DAV, dav, isName, keyOf, WINDOWS, type XmlName } from '../xml/names.ts';
import { element, serialize } from '../xml/write-xml.ts';
import type { ChangeContext } from './change-context.ts';

/** The result that a PROPPATCH would have. */
interface Patched {
  readonly properties: readonly DeadProperty[];
  readonly modifiedAt: Instant | undefined;
  /** The statuses of the updates that cannot be made. If there is any, no update is made. */
  readonly faults: ReadonlyMap<PropertyUpdate, number>;
}

/** PROPPATCH (RFC 4918, section 9.2): makes all updates, or none. */
export async function patchProperties(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drives, drive, preconditions } = context;
  const { actor, path } = request;
  const updates = readPropertyUpdate(await request.readXml());
  return drives.withDriveLock(actor, 0, async (tx) => {
    const resource = await findResource(tx, drive, actor.driveId, path);
    const entry = getEntry(resource);
    const { view, tokens } = await preconditions.check(tx, request, resource);
    checkTokens(view, [resource], tokens);
    const stored = (await findDeadProperties(tx, [entry.id])).get(entry.id) ?? [];
    const freeBytes = MAX_BYTES_OF_DRIVE - (await sumDeadBytes(tx, actor.driveId)) - ROW_BYTES;
    const maxBytes = Math.min(MAX_BYTES_OF_ENTRY, sumBytes(stored) + Math.max(0, freeBytes));
    const patched = patch(entry, stored, updates, maxBytes);
    if (patched.faults.size === 0) await store(tx, context, request, resource, patched);
    const body = describe(updates, patched.faults);
    return {
      status: 207,
      body:
        MULTISTATUS_START + response(toHref(request.root, path, entry.isDirectory), body) + MULTISTATUS_END,
    };
  });
}

async function store(
  tx: Tx,
  { drive }: ChangeContext,
  { actor }: DavRequest,
  resource: Resource,
  { properties, modifiedAt }: Patched,
): Promise<void> {
  await replaceDeadProperties(tx, getEntry(resource), properties);
  if (modifiedAt === undefined) return;
  const member = getMember(resource);
  await drive.placement.setModifiedAt(tx, actor, member, modifiedAt);
}

/** @param maxBytes the limit for all properties of the entry together */
function patch(
  entry: Entry,
  stored: readonly DeadProperty[],
  updates: readonly PropertyUpdate[],
  maxBytes: number,
): Patched {
  const properties = new Map(stored.map((property) => [keyOf(property.name), property]));
  const faults = new Map<PropertyUpdate, number>();
  let bytes = sumBytes(stored);
  let modifiedAt: Instant | undefined;
  const put = (update: PropertyUpdate, property: DeadProperty) => {
    const key = keyOf(property.name);
    const addedBytes = bytesOf(property) - sumBytes([properties.get(key)]);
    if (addedBytes > 0 && bytes + addedBytes > maxBytes) {
      // Windows sets four of its own properties with every file. It accepts that they are not stored, but not
      // an error.
      if (property.name.namespace !== WINDOWS) faults.set(update, 507);
      return;
    }
    bytes += addedBytes;
    properties.set(key, property);
  };
  for (const update of updates) {
    const { name, value } = update;
    if (isName(name, DAV, 'getlastmodified') || isName(name, DAV, 'lastmodified')) {
      const time = value && readModifiedAt(name, textOf(value));
      // A directory has no content, so it has no modification time to set.
      if (value === undefined || entry.isDirectory) faults.set(update, 403);
      else if (time === undefined) faults.set(update, 409);
      else modifiedAt = time;
    } else if (findLiveProperty(name) !== undefined) {
      faults.set(update, 403);
    } else if (value === undefined) {
      bytes -= sumBytes([properties.get(keyOf(name))]);
      properties.delete(keyOf(name));
    } else if (faults.size === 0) {
      // After a fault nothing will be stored, so further values need not be written.
      put(update, { name, value: serialize(value) });
      // Windows stores its own times as properties, and also expects the file itself to get this one.
      if (isName(name, WINDOWS, 'Win32LastModifiedTime') && !entry.isDirectory) {
        modifiedAt = parseWindowsTime(textOf(value)) ?? modifiedAt;
      }
    }
  }
  return { properties: [...properties.values()], modifiedAt, faults };
}

/** Writes the statuses of the updates (section 9.2.1). If any update failed, the others get 424. */
function describe(updates: readonly PropertyUpdate[], faults: ReadonlyMap<PropertyUpdate, number>): string {
  const statusOf = (update: PropertyUpdate) => faults.get(update) ?? (faults.size === 0 ? 200 : 424);
  const statuses = [...new Set(updates.map(statusOf))];
  return statuses
    .map((status) => {
      const names = updates.filter((update) => statusOf(update) === status).map(({ name }) => name);
      const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()];
      const condition = status === 403 ? { name: dav('cannot-modify-protected-property') } : undefined;
      return propstat(status, unique.map((name) => element(name)).join(''), condition);
    })
    .join('');
}

/** rclone sends `lastmodified`, in seconds since 1970, to servers like ownCloud. */
function readModifiedAt({ local }: XmlName, text: string): Instant | undefined {
  return local === 'lastmodified' ? parseUnixTime(text) : parseFileTime(text);
}

/** For an unknown time, Windows sends the start of its calendar. */
function parseWindowsTime(text: string): Instant | undefined {
  const time = parseFileTime(text);
  return time === Date.UTC(1601, 0, 1) ? undefined : time;
}
