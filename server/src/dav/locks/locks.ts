import type { Clock } from '../../base/clock.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import { DavError } from '../dav-error.ts';
import { toHref } from '../protocol/href.ts';
import { dav } from '../xml/names.ts';
import { type Lock, type LockTarget, LockView, type PlacedLock } from './lock.ts';
import { deleteLocks, deleteLocksOf, extendLock, findLocks, insertLock } from './queries.ts';

/** The maximum number of locks on one entry. Only shared locks can be several. */
const MAX_LOCKS_PER_ENTRY = 16;
/**
 * The maximum number of locks in one drive. Each request that changes the drive reads all of them, with their
 * places.
 */
const MAX_LOCKS_PER_DRIVE = 100;
/** The maximum number of locks of one account in a shared drive, so that others can have some. */
const MAX_LOCKS_PER_MEMBER = 50;

/** The maximum number of locks that an error names. The address of each may have 12 KB. */
const MAX_NAMED_ROOTS = 16;

interface LocksParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * The locks of WebDAV clients (RFC 4918, sections 6 and 7). They are database rows, so every instance sees
 * them. Every request that checks locks before a change does so in a transaction that has locked the drive.
 * So two requests cannot both find that there is no lock.
 */
export class Locks {
  readonly #parts: LocksParts;

  constructor(parts: LocksParts) {
    this.#parts = parts;
  }

  /** @param drive the drive, and the address of its root */
  async view(db: Db, drive: { readonly driveId: number; readonly root: string }): Promise<LockView> {
    return new LockView(drive.root, await findLocks(db, drive.driveId, this.#parts.clock.now()));
  }

  /** @throws DavError 423 with the locks that conflict; 507 if there are too many locks */
  async create(
    tx: Tx,
    driveId: number,
    wanted: Pick<Lock, 'entryId' | 'accountId' | 'isExclusive' | 'isDeep' | 'owner'> & {
      readonly timeoutMs: number;
    },
  ): Promise<Omit<Lock, 'id'>> {
    const { timeoutMs, ...lock } = wanted;
    // RFC 4918, section 6.5 recommends this scheme.
    const token = `urn:uuid:${this.#parts.ids.uuid()}`;
    const now = this.#parts.clock.now();
    const added = { ...lock, token, expiresAt: now + timeoutMs };
    const perMember = MAX_LOCKS_PER_MEMBER;
    const limits = { perEntry: MAX_LOCKS_PER_ENTRY, perDrive: MAX_LOCKS_PER_DRIVE, perMember };
    if (await insertLock(tx, { ...added, driveId, createdAt: now }, limits)) return added;
    throw new DavError(507, 'There are too many locks.');
  }

  async refresh(tx: Tx, lock: PlacedLock, timeoutMs: number): Promise<PlacedLock> {
    const expiresAt = this.#parts.clock.now() + timeoutMs;
    await extendLock(tx, lock.id, expiresAt);
    return { ...lock, expiresAt };
  }

  async remove(tx: Tx, locks: readonly Lock[]): Promise<void> {
    await deleteLocks(
      tx,
      locks.map(({ id }) => id),
    );
  }

  /** Ends the locks of an account in drives that it may no longer change, which the transaction has locked. */
  async deleteOfMember(tx: Tx, former: AccountInDrives): Promise<void> {
    await deleteLocksOf(tx, former);
  }

  /** Deletes the locks of a drive that is being deleted. */
  deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'dav_lock', driveId, signal);
  }

  /** Deletes expired locks, in batches. Stops when the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'dav_lock', this.#parts.clock.now(), signal);
  }
}

/** @throws DavError 423 (RFC 4918, section 16, lock-token-submitted) */
export function checkTokens(
  view: LockView,
  targets: readonly LockTarget[],
  tokens: ReadonlySet<string>,
): void {
  checkTokensInDrives([{ view, targets }], tokens);
}

/** {@link checkTokens} for targets in two drives. */
export function checkTokensInDrives(
  drives: readonly { readonly view: LockView; readonly targets: readonly LockTarget[] }[],
  tokens: ReadonlySet<string>,
): void {
  const hrefs = drives.flatMap(({ view, targets }) => hrefsOf(view, view.blocking(targets, tokens)));
  if (hrefs.length > 0) throw lockedBy(hrefs);
}

/**
 * The error for a request without the token of a lock that it needs.
 * @param hrefs the addresses of the locks' roots
 */
export function lockedBy(hrefs: readonly string[]): DavError {
  const unique = [...new Set(hrefs)].slice(0, MAX_NAMED_ROOTS);
  return new DavError(423, 'This is locked.', { name: dav('lock-token-submitted'), hrefs: unique });
}

/** The addresses of the locks' roots, each once, up to {@link MAX_NAMED_ROOTS}. */
export function hrefsOf({ root }: LockView, locks: readonly PlacedLock[]): readonly string[] {
  const roots = new Map(locks.map((lock) => [lock.entryId, lock]));
  return [...roots.values()]
    .slice(0, MAX_NAMED_ROOTS)
    .map(({ path, isDirectory }) => toHref(root, path, isDirectory));
}
