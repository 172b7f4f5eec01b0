import { type Accounts, hashPassword, verifyPassword } from '../accounts/accounts.ts';
import type { Clock, Instant } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { LogicalPath } from '../base/text/logical-path.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Actor, Drive, EntryWithPath } from '../drive/drive.ts';
import { byAddress, type CredentialLimiter, SHARE_PASSWORDS_BY_ADDRESS } from '../limits/limits.ts';
import {
  deleteAnyShare,
  deleteShare,
  findShareById,
  findSharesByOwner,
  insertShare,
  type RemovedShare,
  refundUnit,
  spendUnit,
} from './queries.ts';
import { checkUsable, noSuchShare, type Share } from './share.ts';
import type { ShareCounters } from './share-counters.ts';
import { getShare, SHARE_TOKEN_BITS } from './share-token.ts';

export interface ShareOptions {
  /** Null for the file's name. */
  readonly shareName: string | null;
  /** Null for none. */
  readonly password: string | null;
  readonly expiresAt: Instant | null;
  readonly maxDownloads: number | null;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
}

/**
 * Files that their owners let others have, under a password, a time and a budget (contract, section 5). A share belongs
 * to a record: it follows it wherever it goes, is dead while it lies in the recycle bin, and gone after the purge.
 */
export class Shares {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #drive: Drive;
  readonly #limiter: CredentialLimiter;
  readonly #counters: ShareCounters;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    drive: Drive;
    limiter: CredentialLimiter;
    counters: ShareCounters;
    clock: Clock;
    ids: Ids;
  }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#drive = parts.drive;
    this.#limiter = parts.limiter;
    this.#counters = parts.counters;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
  }

  /** @throws Failure `not-found`; `rejected` for a directory; `invalid` for a time that has passed */
  async create(ownerId: number, fileId: number, options: ShareOptions): Promise<Share> {
    const { password, expiresAt } = options;
    if (expiresAt !== null && expiresAt <= this.#clock.now()) {
      throw new Failure('invalid', 'expiresAt must be in the future.');
    }
    const passwordHash = password === null ? null : await hashPassword(password);
    // Holding the drive: what is shared here is not in the recycle bin when this commits.
    return await this.#accounts.withDriveLock(ownerId, 0, async (tx) => {
      const entry = await this.#drive.listing.getLiveEntry(tx, ownerId, fileId);
      if (entry.isDirectory) throw new Failure('rejected', 'Only files can be shared in this way.');
      const { maxDownloads, allowImport, allowDownload } = options;
      // As it is called now: a later name is not for strangers to see.
      const shareName = options.shareName ?? entry.name;
      const limits = { expiresAt, maxDownloads, allowImport, allowDownload, passwordHash };
      const token = this.#ids.token(SHARE_TOKEN_BITS);
      const named = { kind: 'V2', token, ownerId, entryId: entry.id, shareName } as const;
      const id = await insertShare(tx, { ...named, ...limits }, this.#clock.now());
      const share = id === undefined ? undefined : await findShareById(tx, id);
      if (share === undefined) throw new Error('A share that was just made is not there.');
      return share;
    });
  }

  /** The owner's shares of files that are in the drive. */
  async listByOwner(ownerId: number, page: PageRequest): Promise<Page<Share>> {
    return {
      ...(await findSharesByOwner(this.#database.db, ownerId, page)),
      page: page.page,
      size: page.size,
    };
  }

  /** @throws Failure `not-found` */
  async delete(ownerId: number, id: number): Promise<void> {
    if (!(await this.#database.transact((tx) => deleteShare(tx, ownerId, id)))) throw noSuchShare();
  }

  /** Takes a share or legacy link away, whoever's it is, in the caller's transaction. @throws Failure `not-found` */
  async remove(tx: Tx, id: number): Promise<RemovedShare> {
    const removed = await deleteAnyShare(tx, id);
    if (removed === undefined) throw noSuchShare();
    return removed;
  }

  /** @throws Failure `not-found`, also while the file lies in the recycle bin */
  get(token: string): Promise<Share> {
    return getShare(this.#database.db, 'V2', token);
  }

  /** Counts that somebody has looked at it; gives it with that view. */
  async view(share: Share): Promise<Share> {
    const viewCount = await this.#counters.view(share.id);
    if (viewCount === undefined) throw noSuchShare();
    return { ...share, viewCount };
  }

  /**
   * @param address of who tries: so many wrong ones a minute, and then also the right one is refused
   * @throws Failure `forbidden` when it is missing or wrong, `too-many`
   */
  async checkPassword(share: Share, password: string | undefined, address: string): Promise<void> {
    const { passwordHash } = share;
    if (passwordHash === null) return;
    if (password === undefined || password === '') {
      throw new Failure('forbidden', 'This share asks for a password.');
    }
    await this.#limiter.attempt(
      [byAddress(SHARE_PASSWORDS_BY_ADDRESS, address, String(share.id))],
      async () => {
        if (!(await verifyPassword(passwordHash, password))) {
          throw new Failure('forbidden', 'The password is wrong.');
        }
      },
    );
  }

  /**
   * Takes one download from the budget.
   * @throws Failure `expired`, `forbidden`, `not-found` when it may not be used (any more)
   */
  async spendDownload(share: Share): Promise<void> {
    if (await this.#counters.spendDownload(share.id)) return;
    await this.#explain(this.#database.db, share, 'download');
  }

  /** For a download that was counted and of which nothing was sent. */
  async refundDownload({ id }: Share): Promise<void> {
    await this.#database.transact((tx) => refundUnit(tx, id));
  }

  /**
   * Copies the file into the caller's drive, for one unit of the same budget that downloads take from.
   * @throws Failure `expired`, `forbidden`, `not-found`; `conflict`, `over-limit`, `invalid` as a copy is refused
   */
  async import(actor: Actor, share: Share, targetPath: LogicalPath): Promise<EntryWithPath> {
    checkAllows(share, 'import');
    checkUsable(share, this.#clock.now());
    const source = { ownerId: share.ownerId, entryId: share.entry.id };
    return await this.#drive.fileImport.importEntry(actor, source, targetPath, async (tx) => {
      if (!(await spendUnit(tx, share.id, 'import', this.#clock.now()))) {
        await this.#explain(tx, share, 'import');
      }
    });
  }

  /** Why a unit could not be taken, from how the share is by now. */
  async #explain(db: Db, before: Share, use: Use): Promise<never> {
    const share = await getShare(db, 'V2', before.token);
    checkAllows(share, use);
    checkUsable(share, this.#clock.now());
    throw new Failure('unavailable', 'The share changed at this very moment.', { retryAfterSeconds: 1 });
  }
}

type Use = 'import' | 'download';

/** @throws Failure `forbidden` */
export function checkAllows(share: Share, use: Use): void {
  if (use === 'import' ? share.allowImport : share.allowDownload) return;
  throw new Failure('forbidden', `This share allows no ${use}.`);
}
