import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Tx } from '../../database/database.ts';
import type { Entry } from '../../drive/drive.ts';
import { DavError } from '../dav-error.ts';
import { activeLock } from '../locks/active-lock.ts';
import type { LockView, PlacedLock } from '../locks/lock.ts';
import { checkTokens, hrefsOf, lockedBy } from '../locks/locks.ts';
import { toHref } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readDepth, readLockToken, readTimeoutMs, textOf } from '../protocol/request-headers.ts';
import { findResource, getPlace, type Resource } from '../resource.ts';
import { type LockRequest, readLockInfo } from '../xml/bodies.ts';
import { MULTISTATUS_END, MULTISTATUS_START, response, statusElement } from '../xml/multistatus.ts';
import { dav } from '../xml/names.ts';
import { DECLARED_PREFIXES, XML_DECLARATION } from '../xml/write-xml.ts';
import { type ChangeContext, targetsOfCreation } from './change-context.ts';
import { EmptyFile } from './empty-file.ts';

/** LOCK and UNLOCK (RFC 4918, section 9.10 and section 9.11). */
export class LockMethods {
  readonly #context: ChangeContext;
  readonly #clock: Clock;

  constructor(context: ChangeContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
  }

  /** @throws DavError, Failure */
  async lock(request: DavRequest): Promise<DavAnswer> {
    const depth = readDepth(request.headers) ?? 'infinity';
    // Section 9.10.3.
    if (depth === '1') throw new Failure('invalid', 'The Depth of LOCK is 0 or infinity.');
    const timeoutMs = readTimeoutMs(request.headers);
    const xml = await request.readXml();
    if (xml.length === 0) return await this.#refresh(request, timeoutMs);
    const wanted = { ...readLockInfo(xml), isDeep: depth === 'infinity', timeoutMs };
    const resource = await this.#find(undefined, request);
    if (resource.exists) return await this.#change(request, (tx) => this.#create(tx, request, wanted));
    getPlace(resource);
    // Section 7.3: a lock on an address without a resource creates an empty one.
    return await EmptyFile.during(this.#context.drive, request.actor, (file) =>
      this.#change(request, (tx) => this.#create(tx, request, wanted, file)),
    );
  }

  /**
   * @throws DavError 409 if no lock with that token covers the resource (section 9.11.1); 403 if it is the
   *   lock of another account, unless the caller is a manager of the shared drive
   */
  unlock(request: DavRequest): Promise<DavAnswer> {
    const token = readLockToken(request.headers);
    const { preconditions, locks } = this.#context;
    return this.#change(request, async (tx) => {
      const resource = await this.#find(tx, request);
      const { view } = await preconditions.check(tx, request, resource);
      const lock = view.covering(resource).find((covering) => covering.token === token);
      if (lock === undefined) {
        throw new DavError(409, 'There is no such lock.', { name: dav('lock-token-matches-request-uri') });
      }
      // Section 9.11.1.
      if (lock.accountId !== request.actor.accountId && !(await this.#isManager(tx, request))) {
        throw new DavError(403, 'This is the lock of another.');
      }
      await locks.remove(tx, [lock]);
      return { status: 204 };
    });
  }

  /** Managers may end the locks of others, so that nobody can keep a shared drive from everyone else. */
  async #isManager(tx: Tx, { actor: { driveId, accountId } }: DavRequest): Promise<boolean> {
    return (await this.#context.drives.findRole({ driveId, accountId }, tx)) === 'MANAGER';
  }

  /** Section 9.10.2: the `If` header names the lock. */
  #refresh(request: DavRequest, timeoutMs: number): Promise<DavAnswer> {
    if (textOf(request.headers, 'if') === undefined) {
      throw new Failure('invalid', 'A LOCK without a body refreshes the lock that If names.');
    }
    const { preconditions, locks } = this.#context;
    return this.#change(request, async (tx) => {
      const resource = await this.#find(tx, request);
      const { view, tokens, ofOthers } = await preconditions.check(tx, request, resource);
      const covering = view.covering(resource);
      const lock = covering.find(({ token }) => tokens.has(token));
      if (lock === undefined) {
        const foreign = ofOthers.filter((other) => covering.includes(other));
        if (foreign.length > 0) throw lockedBy(hrefsOf(view, foreign));
        throw new DavError(412, 'There is no such lock.', { name: dav('lock-token-matches-request-uri') });
      }
      return { status: 200, body: this.#describe(view.root, await locks.refresh(tx, lock, timeoutMs)) };
    });
  }

  async #create(
    tx: Tx,
    request: DavRequest,
    wanted: LockRequest & { readonly isDeep: boolean; readonly timeoutMs: number },
    emptyFile?: EmptyFile,
  ): Promise<DavAnswer> {
    const { preconditions, locks } = this.#context;
    const { driveId, accountId } = request.actor;
    const resource = await this.#find(tx, request);
    const { view, tokens } = await preconditions.check(tx, request, resource);
    const conflicting = view.conflicting(resource, wanted);
    if (conflicting.length > 0) return rejectConflict(request, resource, view, conflicting);
    if (!resource.exists) checkTokens(view, targetsOfCreation(resource), tokens);
    const entry = resource.entry ?? (await createFile(tx, resource, emptyFile));
    const { isDirectory } = entry;
    const lock = await locks.create(tx, driveId, { ...wanted, accountId, entryId: entry.id });
    return {
      status: resource.exists ? 200 : 201,
      headers: { 'lock-token': `<${lock.token}>` },
      body: this.#describe(view.root, { ...lock, path: request.path, isDirectory }),
    };
  }

  #describe(root: string, lock: Omit<PlacedLock, 'id' | 'chain'>): string {
    const active = activeLock(root, lock, this.#clock.now());
    return `${XML_DECLARATION}<D:prop ${DECLARED_PREFIXES}><D:lockdiscovery>${active}</D:lockdiscovery></D:prop>\n`;
  }

  #find(tx: Tx | undefined, { actor, path }: DavRequest): Promise<Resource> {
    const { drive, database } = this.#context;
    return findResource(tx ?? database.db, drive, actor.driveId, path);
  }

  #change(request: DavRequest, work: (tx: Tx) => Promise<DavAnswer>): Promise<DavAnswer> {
    return this.#context.drives.withDriveLock(request.actor, 0, work);
  }
}

async function createFile(tx: Tx, resource: Resource, emptyFile: EmptyFile | undefined): Promise<Entry> {
  // The resource existed a moment ago, so no empty file was prepared. The client can try again.
  if (emptyFile === undefined) throw new DavError(404, 'The resource has just been removed.');
  return await emptyFile.create(tx, getPlace(resource));
}

/**
 * Rejects a LOCK. If the conflicting lock is on the resource or above it, the status is 423. A lock below it
 * is reported with its own address in a multi-status answer (section 9.10.9 and its example).
 */
function rejectConflict(
  { path }: DavRequest,
  resource: Resource,
  view: LockView,
  conflicting: readonly PlacedLock[],
): DavAnswer {
  const covering = new Set(view.covering(resource));
  if (conflicting.some((lock) => covering.has(lock))) {
    throw new DavError(423, 'This is locked.', {
      name: dav('no-conflicting-lock'),
      hrefs: hrefsOf(view, conflicting),
    });
  }
  const locked = hrefsOf(view, conflicting).map((href) => response(href, statusElement(423)));
  const failed = response(toHref(view.root, path, true), statusElement(424));
  return { status: 207, body: MULTISTATUS_START + locked.join('') + failed + MULTISTATUS_END };
}
