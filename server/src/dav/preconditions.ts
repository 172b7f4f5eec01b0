import type { Db } from '../database/database.ts';
import { type Drive, etagOf } from '../drive/drive.ts';
import { checkConditions } from '../http/download/conditional-request.ts';
import { DavError } from './dav-error.ts';
import type { LockView, PlacedLock } from './locks/lock.ts';
import type { Locks } from './locks/locks.ts';
import { readReference } from './protocol/href.ts';
import {
  type IfList,
  isFulfilled,
  parseIfHeader,
  type ResourceState,
  submittedTokens,
} from './protocol/if-header.ts';
import type { DavRequest } from './protocol/messages.ts';
import { utf8Of } from './protocol/request-headers.ts';
import { etagOfResource, findResource, type Resource } from './resource.ts';
import type { SharedDrives } from './shared-drives/shared-drives.ts';

/** What a request that passed its preconditions may rely on. */
interface Passed {
  readonly view: LockView;
  /** The lock tokens that the client submitted, without those of other accounts' locks. */
  readonly tokens: ReadonlySet<string>;
  /** The locks of other accounts whose tokens the client submitted. */
  readonly ofOthers: readonly PlacedLock[];
}

const NOTHING: ResourceState = { etag: undefined, tokens: new Set() };

interface PreconditionsParts {
  readonly drive: Drive;
  readonly locks: Locks;
  readonly sharedDrives: SharedDrives;
}

/** The preconditions in the headers of requests that change something. */
export class Preconditions {
  readonly #parts: PreconditionsParts;

  constructor(parts: PreconditionsParts) {
    this.#parts = parts;
  }

  /**
   * Evaluates the preconditions of a request. In a transaction that has locked the drive, the result stays
   * valid.
   * @throws DavError 412; Failure `invalid` for a malformed `If`
   */
  async check(db: Db, request: DavRequest, resource: Resource): Promise<Passed> {
    checkHttpConditions(request, resource);
    const view = await this.#parts.locks.view(db, { driveId: request.actor.driveId, root: request.root });
    const header = utf8Of(request.headers, 'if');
    if (header === undefined) return { view, tokens: NOTHING.tokens, ofOthers: [] };
    const lists = parseIfHeader(header);
    const states = await this.#findStates(db, { request, resource, view, lists });
    if (!isFulfilled(lists, (reference) => states.get(reference) ?? NOTHING)) {
      throw new DavError(412, 'The conditions of the If header are not fulfilled.');
    }
    const submitted = submittedTokens(lists);
    const { accountId } = request.actor;
    return {
      view,
      tokens: view.withoutOthers(submitted, accountId),
      ofOthers: view.ofOthers(submitted, accountId),
    };
  }

  async #findStates(
    db: Db,
    {
      request,
      resource,
      view,
      lists,
    }: { request: DavRequest; resource: Resource; view: LockView; lists: readonly IfList[] },
  ): Promise<ReadonlyMap<string | undefined, ResourceState>> {
    const states = new Map<string | undefined, ResourceState>();
    for (const reference of new Set(lists.map((list) => list.resource))) {
      const state =
        reference === undefined
          ? stateOf(resource, view)
          : await this.#findReferencedState(db, { request, view, reference });
      states.set(reference, state);
    }
    return states;
  }

  /** An address outside the caller's drives has no state that could fulfil a condition. */
  async #findReferencedState(
    db: Db,
    { request, view, reference }: { request: DavRequest; view: LockView; reference: string },
  ): Promise<ResourceState> {
    const { drive, locks, sharedDrives } = this.#parts;
    try {
      const target = readReference(reference, request.hosts);
      if (target === 'drives') return NOTHING;
      const found = await sharedDrives.findDriveOf(db, request, target);
      if (found === undefined) return NOTHING;
      const resource = await findResource(db, drive, found.id, target.path);
      if (found.id === request.actor.driveId) return stateOf(resource, view);
      return stateOf(resource, await locks.view(db, { driveId: found.id, root: target.root }));
    } catch (error) {
      if (error instanceof DavError) return NOTHING;
      throw error;
    }
  }
}

function stateOf(resource: Resource, view: LockView): ResourceState {
  const tokens = new Set(view.covering(resource).map(({ token }) => token));
  return { etag: etagOfResource(resource), tokens };
}

/** RFC 9110, section 13.1. `If-Modified-Since` is for GET and HEAD only. */
function checkHttpConditions({ headers }: DavRequest, { entry }: Resource): void {
  const conditions = {
    'if-match': headers['if-match'],
    'if-none-match': headers['if-none-match'],
    'if-unmodified-since': headers['if-unmodified-since'],
  };
  if (Object.values(conditions).every((condition) => condition === undefined)) return;
  if (!isAllowed(conditions, entry)) throw new DavError(412, 'A precondition of the request failed.');
}

function isAllowed(
  conditions: Readonly<Record<string, string | undefined>>,
  entry: Resource['entry'],
): boolean {
  if (entry !== undefined && !entry.isDirectory) {
    const validators = { etag: etagOf(entry), modifiedAt: entry.modifiedAt };
    return checkConditions(conditions, validators, { isChange: true }) === 'fulfilled';
  }
  const { 'if-match': match, 'if-none-match': noneMatch } = conditions;
  // A directory has no entity tag.
  if (match !== undefined && (entry === undefined || match.trim() !== '*')) return false;
  return noneMatch?.trim() !== '*' || entry === undefined;
}
