import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Drive, Entry, ListedChild, ListedEntry, NamePlace } from '../../drive/drive.ts';
import { getAllowance } from '../../drives/drives.ts';
import { DavError } from '../dav-error.ts';
import { ActiveLocks } from '../locks/active-lock.ts';
import type { Locks } from '../locks/locks.ts';
import type { DescribedEntry, PropertyContext } from '../properties/live-properties.ts';
import { type PropertyList, toPropertyList, writeResponse } from '../properties/property-list.ts';
import {
  type DeadProperties,
  type DeadProperty,
  findDeadBytesOfMembers,
  findDeadProperties,
} from '../properties/queries.ts';
import { isSharedRoot, toHref, toMemberHref } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readPropfindDepth } from '../protocol/request-headers.ts';
import { findResource, getEntry, type Resource } from '../resource.ts';
import { readPropfind } from '../xml/bodies.ts';
import { MULTISTATUS_END, MULTISTATUS_START } from '../xml/multistatus.ts';
import { dav } from '../xml/names.ts';

/** The maximum number of entries that one statement reads, and that are in memory at the same time. */
const PAGE_SIZE = 1_000;
/** The number of XML characters that are written at a time. */
const CHUNK_LENGTH = 64 * 1_024;
/**
 * The maximum size of the dead properties that are in memory at the same time, unless a single entry has
 * more.
 */
const DEAD_BYTES = 256 * 1_024;

interface PropfindParts {
  readonly database: Database;
  readonly drive: Drive;
  readonly locks: Locks;
  readonly clock: Clock;
}

/**
 * PROPFIND (RFC 4918, section 9.1). The members of a directory are read page by page while the answer is
 * sent, so memory use does not depend on their number.
 */
export class Propfind {
  readonly #parts: PropfindParts;

  constructor(parts: PropfindParts) {
    this.#parts = parts;
  }

  /** @throws DavError, Failure */
  async answer(request: DavRequest): Promise<DavAnswer> {
    const { db } = this.#parts.database;
    const { root, driveName } = request;
    const { driveId } = request.actor;
    const { depth, hasRoot } = readPropfindDepth(request.headers);
    const list = toPropertyList(readPropfind(await request.readXml()));
    const resource = await findResource(db, this.#parts.drive, driveId, request.path);
    const entry = toDisplayed(getEntry(resource), driveName);
    if (depth === 'infinity' && entry.isDirectory) {
      // Section 9.1 and section 16.
      throw new DavError(403, 'The Depth must be 0 or 1.', { name: dav('propfind-finite-depth') });
    }
    const locks = new ActiveLocks(
      await this.#parts.locks.view(db, { driveId, root }),
      resource,
      this.#parts.clock.now(),
    );
    const context = { quota: await this.#findQuota(driveId, list) };
    const writer = new ResponseWriter({
      database: this.#parts.database,
      list,
      context,
      locks,
      resource,
      root,
    });
    const members = depth === '1' && entry.isDirectory ? this.#listMembers(entry) : undefined;
    // The first page is read before anything is sent, so that a failure still gets its own status.
    const firstPage = await members?.next();
    const self =
      hasRoot || members === undefined
        ? await writer.writeSelf(await this.#withDigest(entry, list), isSharedRoot(request))
        : '';
    return { status: 207, body: send(writer, self, firstPage, members) };
  }

  async #findQuota(driveId: number, { needsQuota }: PropertyList): Promise<PropertyContext['quota']> {
    if (!needsQuota) return { availableBytes: 0, usedBytes: 0 };
    const { freeBytes, usedBytes } = await getAllowance(this.#parts.database.db, driveId);
    return { availableBytes: freeBytes, usedBytes };
  }

  /** Adds the digest to a single entry if the client asks for it. Members are always read with theirs. */
  async #withDigest(entry: Entry, { needsDigest }: PropertyList): Promise<ListedEntry> {
    if (entry.isDirectory || !needsDigest) return { entry, sha256: null };
    const { sha256 } = await this.#parts.drive.listing.details(entry.driveId, entry.id);
    return { entry, sha256 };
  }

  async *#listMembers({ id }: Entry): AsyncGenerator<readonly ListedChild[], undefined> {
    for (let after: NamePlace | undefined; ; ) {
      const page = await this.#parts.drive.listing.listAfter(id, after, PAGE_SIZE);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      if (page.length < PAGE_SIZE) return;
      after = last.place;
    }
  }
}

/** The root of a drive has no name of its own. That of a shared drive is displayed with the drive's name. */
function toDisplayed(entry: Entry, driveName: string | undefined): Entry {
  return entry.parentId === null && driveName !== undefined ? { ...entry, name: driveName } : entry;
}

async function* send(
  writer: ResponseWriter,
  self: string,
  firstPage: IteratorResult<readonly ListedChild[], undefined> | undefined,
  members: AsyncGenerator<readonly ListedChild[], undefined> | undefined,
): AsyncGenerator<string> {
  yield MULTISTATUS_START + self;
  for (let page = firstPage; page !== undefined && page.value !== undefined; page = await members?.next()) {
    yield* writer.writeMembers(page.value);
  }
  yield MULTISTATUS_END;
}

const NO_DEAD_PROPERTIES: readonly DeadProperty[] = [];

interface ResponseWriterParts {
  readonly database: Database;
  readonly list: PropertyList;
  readonly context: PropertyContext;
  readonly locks: ActiveLocks;
  readonly resource: Resource;
  /** The address of the drive's root. */
  readonly root: string;
}

/** Writes the `response` elements of a resource and its members. */
class ResponseWriter {
  readonly #parts: ResponseWriterParts;

  constructor(parts: ResponseWriterParts) {
    this.#parts = parts;
  }

  /** @param isFixed whether it is the root of a shared drive, which cannot be locked or changed */
  async writeSelf(listed: ListedEntry, isFixed: boolean): Promise<string> {
    const { resource, root } = this.#parts;
    const { id, isDirectory } = listed.entry;
    const dead = await findDeadProperties(this.#parts.database.db, this.#parts.list.needsDead ? [id] : []);
    const activeLocks = () => this.#parts.locks.ofResource();
    return this.#write(toHref(root, resource.path, isDirectory), { ...listed, activeLocks, isFixed }, dead);
  }

  async *writeMembers(page: readonly ListedChild[]): AsyncGenerator<string> {
    const bytesOfDead = await this.#findDeadBytes(page);
    const { resource, root } = this.#parts;
    const directoryHref = toHref(root, resource.path, true);
    let dead: DeadProperties = new Map();
    let xml = '';
    for (const [index, { entry, sha256 }] of page.entries()) {
      if (bytesOfDead.has(entry.id) && !dead.has(entry.id)) {
        const ids = startOf(page.slice(index), bytesOfDead);
        dead = await findDeadProperties(this.#parts.database.db, ids);
      }
      const href = toMemberHref(directoryHref, entry.name, entry.isDirectory);
      const activeLocks = () => this.#parts.locks.ofMember(entry.id);
      xml += this.#write(href, { entry, sha256, activeLocks, isFixed: false }, dead);
      if (xml.length < CHUNK_LENGTH) continue;
      yield xml;
      xml = '';
      // Otherwise, a fast client would keep other requests waiting.
      await yieldToEventLoop();
    }
    yield xml;
  }

  /** @param page the members, by name */
  async #findDeadBytes(page: readonly ListedChild[]): Promise<ReadonlyMap<number, number>> {
    const [first, last] = [page[0]?.place, page.at(-1)?.place];
    const directory = this.#parts.resource.chain.at(-1);
    if (!this.#parts.list.needsDead || !first || !last || !directory) return new Map();
    return await findDeadBytesOfMembers(this.#parts.database.db, directory.id, { first, last });
  }

  #write(href: string, entry: DescribedEntry & ListedEntry, dead: DeadProperties): string {
    const stored = dead.get(entry.entry.id) ?? NO_DEAD_PROPERTIES;
    return writeResponse(href, this.#parts.list.describe(entry, stored, this.#parts.context));
  }
}

/**
 * The ids of the first members with dead properties: as many as fit into {@link DEAD_BYTES}, but at least
 * one.
 */
function startOf(members: readonly ListedChild[], bytes: ReadonlyMap<number, number>): readonly number[] {
  const ids: number[] = [];
  let sum = 0;
  for (const { entry } of members) {
    const ofEntry = bytes.get(entry.id);
    if (ofEntry === undefined) continue;
    sum += ofEntry;
    if (ids.length > 0 && sum > DEAD_BYTES) break;
    ids.push(entry.id);
  }
  return ids;
}
