import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { DavError } from '../dav-error.ts';
import type { DescribedEntry, PropertyContext } from '../properties/live-properties.ts';
import { type PropertyList, toPropertyList, writeResponse } from '../properties/property-list.ts';
import { SHARED_DRIVES, toMemberHref } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readPropfindDepth } from '../protocol/request-headers.ts';
import { readPropfind } from '../xml/bodies.ts';
import { MULTISTATUS_END, MULTISTATUS_START } from '../xml/multistatus.ts';
import { dav } from '../xml/names.ts';
import { toAddressNames } from './address-names.ts';
import { listDrives } from './queries.ts';

/** The maximum number of drives in the list. Others can still be used by their addresses. */
const MAX_LISTED = 1_000;
/** The number of XML characters that are written at a time. */
const CHUNK_LENGTH = 64 * 1_024;

/** The display name of the list of shared drives. */
export const LIST_NAME = 'Shared drives';

export type ListRequest = Pick<DavRequest, 'headers' | 'readXml'> & { readonly accountId: number };

/** PROPFIND of the list of shared drives, whose members are the roots of the drives. */
export async function answerDriveList(database: Database, request: ListRequest): Promise<DavAnswer> {
  const { depth, hasRoot } = readPropfindDepth(request.headers);
  const list = toPropertyList(readPropfind(await request.readXml()));
  if (depth === 'infinity') {
    // RFC 4918, section 9.1 and section 16.
    throw new DavError(403, 'The Depth must be 0 or 1.', { name: dav('propfind-finite-depth') });
  }
  const drives = depth === '1' ? await listDrives(database.db, request.accountId, MAX_LISTED) : [];
  const names = toAddressNames(drives);
  const described = drives.map(({ id, createdAt, quotaBytes, usedBytes }) => {
    const name = names.get(id) ?? '';
    const quota = { availableBytes: Math.max(0, quotaBytes - usedBytes), usedBytes };
    return { href: toMemberHref(SHARED_DRIVES, name, true), entry: toDirectory(name, createdAt), quota };
  });
  const self = { href: SHARED_DRIVES, entry: toDirectory(LIST_NAME), quota: undefined };
  return { status: 207, body: send(list, hasRoot || depth === '0' ? [self, ...described] : described) };
}

type Member = PropertyContext & { readonly href: string; readonly entry: DescribedEntry };

async function* send(list: PropertyList, members: readonly Member[]): AsyncGenerator<string> {
  let xml = MULTISTATUS_START;
  for (const { href, entry, quota } of members) {
    xml += writeResponse(href, list.describe(entry, [], { quota }));
    if (xml.length < CHUNK_LENGTH) continue;
    yield xml;
    xml = '';
    // Otherwise, a fast client would keep other requests waiting.
    await yieldToEventLoop();
  }
  yield xml + MULTISTATUS_END;
}

function toDirectory(name: string, createdAt?: number): DescribedEntry {
  const entry = { name, isDirectory: true, blobId: null, size: 0, contentType: null };
  return {
    entry: { ...entry, createdAt, modifiedAt: createdAt },
    sha256: null,
    isFixed: true,
    activeLocks: () => '',
  };
}
