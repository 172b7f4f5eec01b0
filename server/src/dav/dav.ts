import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Drive, Entry } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import { DavError } from './dav-error.ts';
import { checkTokens, Locks } from './locks/locks.ts';
import {
  type ChangeContext,
  changesManyEntries,
  endLocks,
  targetsOfCreation,
  targetsOfRemoval,
} from './methods/change-context.ts';
import { copyResource, moveResource } from './methods/copy-move.ts';
import { LockMethods } from './methods/lock.ts';
import { Propfind } from './methods/propfind.ts';
import { patchProperties } from './methods/proppatch.ts';
import { putContent } from './methods/put.ts';
import { Preconditions } from './preconditions.ts';
import type { DavAnswer, DavRequest } from './protocol/messages.ts';
import { readDepth } from './protocol/request-headers.ts';
import { findResource, getEntry, getMember, getPlace } from './resource.ts';
import { answerDriveList, type ListRequest } from './shared-drives/drive-list.ts';
import { SharedDrives } from './shared-drives/shared-drives.ts';

/** Methods that change nothing, and those that may change something. */
export const READ_METHODS = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND'] as const;
export const WRITE_METHODS = [
  ...['PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'PROPPATCH', 'LOCK', 'UNLOCK'],
] as const;

type Answer = (request: DavRequest) => Promise<DavAnswer>;

interface DavParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Serves each drive over WebDAV, with the classes 1, 2 and 3 (RFC 4918, section 18). Each request that
 * changes something is one transaction, which locks the drive, evaluates the preconditions and the locks, and
 * makes the change.
 */
export class Dav {
  readonly locks: Locks;
  readonly sharedDrives: SharedDrives;
  readonly #parts: DavParts;
  readonly #answers: ReadonlyMap<string, Answer>;

  constructor(parts: DavParts) {
    this.#parts = parts;
    const locks = new Locks(parts);
    this.locks = locks;
    const sharedDrives = new SharedDrives(parts);
    this.sharedDrives = sharedDrives;
    const preconditions = new Preconditions({ ...parts, locks, sharedDrives });
    const context: ChangeContext = { ...parts, locks, preconditions, sharedDrives };
    const propfind = new Propfind({ ...parts, locks });
    const lockMethods = new LockMethods(context, parts.clock);
    this.#answers = new Map<string, Answer>([
      ['PROPFIND', (request) => propfind.answer(request)],
      ['PUT', (request) => putContent(context, request)],
      ['MKCOL', (request) => makeCollection(context, request)],
      ['DELETE', (request) => deleteResource(context, request)],
      ['COPY', (request) => copyResource(context, request)],
      ['MOVE', (request) => moveResource(context, request)],
      ['PROPPATCH', (request) => patchProperties(context, request)],
      ['LOCK', (request) => lockMethods.lock(request)],
      ['UNLOCK', (request) => lockMethods.unlock(request)],
    ]);
  }

  /** Answers all methods except OPTIONS, GET and HEAD. @throws DavError, Failure */
  answer(request: DavRequest): Promise<DavAnswer> {
    const answer = this.#answers.get(request.method);
    if (answer === undefined) throw new Error(`${request.method} is not a method of WebDAV.`);
    return answer(request);
  }

  /** PROPFIND of the list of shared drives. @throws DavError, Failure */
  listDrives(request: ListRequest): Promise<DavAnswer> {
    return answerDriveList(this.#parts.database, request);
  }

  /** The entry that a GET sends. @throws DavError 404 */
  async find({ actor, path }: Pick<DavRequest, 'actor' | 'path'>): Promise<Entry> {
    return getEntry(await findResource(this.#parts.database.db, this.#parts.drive, actor.driveId, path));
  }
}

/** MKCOL (RFC 4918, section 9.3). */
function makeCollection(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drives, drive, preconditions } = context;
  const { actor, path } = request;
  // Section 9.3.1, and RFC 5689: a body could ask for another type of resource, but none is supported.
  if (request.hasBody) throw new DavError(415, 'MKCOL takes no body.');
  return drives.withDriveLock(actor, 0, async (tx) => {
    const resource = await findResource(tx, drive, actor.driveId, path);
    if (resource.exists) throw new DavError(405, 'There is something at this address already.');
    const place = getPlace(resource);
    const { view, tokens } = await preconditions.check(tx, request, resource);
    checkTokens(view, targetsOfCreation(resource), tokens);
    await drive.placement.makeDirectory(tx, actor, place);
    return { status: 201 };
  });
}

/** DELETE (RFC 4918, section 9.6): moves the entry, with everything below it, to the recycle bin. */
function deleteResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drives, drive, preconditions, locks } = context;
  const { actor, path } = request;
  const depth = readDepth(request.headers);
  const find = (tx: Tx) => findResource(tx, drive, actor.driveId, path);
  const remove = async (tx: Tx) => {
    const resource = await find(tx);
    const member = getMember(resource);
    // Section 9.6.1.
    if (member.entry.isDirectory && depth !== undefined && depth !== 'infinity') {
      throw new DavError(400, 'The Depth of the deletion of a directory is infinity.');
    }
    const { view, tokens } = await preconditions.check(tx, request, resource);
    checkTokens(view, targetsOfRemoval(resource, view), tokens);
    await drive.recycling.recycle(tx, actor, member);
    await endLocks(tx, locks, view, member.entry);
    return { status: 204 };
  };
  const isLong = async (tx: Tx) => changesManyEntries(tx, drive, await find(tx));
  return drives.withDriveLock(actor, 0, remove, isLong);
}
