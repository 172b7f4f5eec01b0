import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Database } from '../database/database.ts';
import type { Drive, Entry } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import { Locks } from './locks/locks.ts';
import type { ChangeContext } from './methods/change-context.ts';
import { copyResource, moveResource } from './methods/copy-move.ts';
import { LockMethods } from './methods/lock.ts';
import { deleteResource, makeCollection } from './methods/members.ts';
import { Propfind } from './methods/propfind.ts';
import { patchProperties } from './methods/proppatch.ts';
import { putContent } from './methods/put.ts';
import { Preconditions } from './preconditions.ts';
import type { DavAnswer, DavRequest } from './protocol/messages.ts';
import { findResource, getEntry } from './resource.ts';

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
 * The drives as WebDAV servers of classes 1, 2 and 3 (RFC 4918, section 18). Each request that changes
 * something is one transaction, which locks the drive, evaluates the preconditions and the locks, and makes
 * the change.
 */
export class Dav {
  readonly locks: Locks;
  readonly #parts: DavParts;
  readonly #answers: ReadonlyMap<string, Answer>;

  constructor(parts: DavParts) {
    this.#parts = parts;
    const locks = new Locks(parts);
    this.locks = locks;
    const preconditions = new Preconditions({ ...parts, locks });
    const context: ChangeContext = { ...parts, locks, preconditions };
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

  /** Answers any method but OPTIONS, GET and HEAD. @throws DavError, Failure */
  answer(request: DavRequest): Promise<DavAnswer> {
    const answer = this.#answers.get(request.method);
    if (answer === undefined) throw new Error(`${request.method} is not a method of WebDAV.`);
    return answer(request);
  }

  /** What a GET sends. @throws DavError 404 */
  async find({ actor, path }: Pick<DavRequest, 'actor' | 'path'>): Promise<Entry> {
    return getEntry(await findResource(this.#parts.database.db, this.#parts.drive, actor.ownerId, path));
  }
}
