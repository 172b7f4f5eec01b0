import type { Clock, Instant } from '../base/clock.ts';
import type { AccountInDrive } from '../base/domain/drives.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Actor, Drive, EntryWithPath, ImportTarget } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import {
  checkLinkCount,
  hashLinkPassword,
  LINK_TOKEN_BITS,
  type LinkEndings,
  type LinkPasswords,
  type LinkVisitor,
} from '../links/links.ts';
import {
  countSharesOf,
  deleteAnyShare,
  deleteShare,
  findShareById,
  findSharesOfDrive,
  insertShare,
  type RemovedShare,
  refundUnit,
  type ShareChanges,
  spendUnit,
  updateShare,
} from './queries.ts';
import { checkUsable, noSuchShare, type Share } from './share.ts';
import type { ShareCounters } from './share-counters.ts';
import { getShare } from './share-token.ts';

export { isShared, SHARE_TABLE } from './queries.ts';

export interface ShareOptions {
  /** Null to use the file's name. */
  readonly shareName: string | null;
  /** Null for no password. */
  readonly password: string | null;
  readonly expiresAt: Instant | null;
  readonly maxDownloads: number | null;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
}

interface SharesParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly passwords: LinkPasswords;
  readonly counters: ShareCounters;
  readonly endings: LinkEndings;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Files shared by their owners, optionally with a password, an expiry and a download limit. A share belongs
 * to an entry: it survives renames and moves, is unavailable while the entry is in the recycle bin, and is
 * deleted with it.
 */
export class Shares {
  readonly #parts: SharesParts;

  constructor(parts: SharesParts) {
    this.#parts = parts;
  }

  /** @throws Failure `not-found`; `rejected` for a directory, and when there are too many shares */
  async create(
    { driveId, accountId }: AccountInDrive,
    fileId: number,
    options: ShareOptions,
  ): Promise<Share> {
    const { expiresAt } = options;
    const passwordHash = await hashLinkPassword(accountId, options.password);
    // The drive is locked, so the entry cannot be moved to the recycle bin before this commits.
    return await this.#parts.drives.withDriveLock({ driveId, accountId }, 0, async (tx) => {
      const entry = await this.#parts.drive.listing.getLiveEntry(tx, driveId, fileId);
      if (entry.isDirectory) throw new Failure('rejected', 'Only files can be shared in this way.');
      checkLinkCount(await countSharesOf(tx, driveId));
      const { maxDownloads, allowImport, allowDownload } = options;
      // Stores the current name, because the public must not learn a later name of the file.
      const shareName = options.shareName ?? entry.name;
      const limits = { expiresAt, maxDownloads, allowImport, allowDownload, passwordHash };
      const token = this.#parts.ids.token(LINK_TOKEN_BITS);
      const named = {
        kind: 'V2',
        token,
        driveId,
        creatorId: accountId,
        entryId: entry.id,
        shareName,
      } as const;
      const id = await insertShare(tx, { ...named, ...limits }, this.#parts.clock.now());
      const share = id === undefined ? undefined : await findShareById(tx, id);
      if (share === undefined) throw new Error('A share that was just made is not there.');
      return share;
    });
  }

  /**
   * Changes the given options, by the rules for new shares. A new password ends the access of everyone who
   * has entered the old one.
   * @throws Failure `not-found`, even while the file is in the recycle bin; `rejected` if the share has
   *   already spent more than the new budget
   */
  async change(
    { driveId, accountId }: AccountInDrive,
    id: number,
    options: Partial<ShareOptions>,
  ): Promise<Share> {
    const { password, ...others } = options;
    const passwordHash = await hashLinkPassword(accountId, password);
    const changes: ShareChanges = password === undefined ? others : { ...others, passwordHash };
    return await this.#parts.drives.withDriveLock({ driveId, accountId }, 0, async (tx) => {
      const isChanged = await updateShare(tx, driveId, id, changes, this.#parts.clock.now());
      const share = await findShareById(tx, id);
      if (share === undefined || share.driveId !== driveId) throw noSuchShare();
      if (isChanged) return share;
      throw new Failure('rejected', `The share has been used ${share.downloadCount} times already.`);
    });
  }

  /** Lists the drive's shares of live files. */
  async listByDrive(driveId: number, page: PageRequest): Promise<Page<Share>> {
    return {
      ...(await findSharesOfDrive(this.#parts.database.db, 'V2', driveId, page)),
      page: page.page,
      size: page.size,
    };
  }

  /** @throws Failure `not-found` */
  async delete(user: AccountInDrive, id: number): Promise<void> {
    const remove = (tx: Tx) => deleteShare(tx, 'V2', user.driveId, id);
    if (!(await this.#parts.drives.withRole(user, remove))) throw noSuchShare();
  }

  /** Deletes a share or legacy link of any drive, in the caller's transaction. @throws Failure `not-found` */
  async remove(tx: Tx, id: number): Promise<RemovedShare> {
    const removed = await deleteAnyShare(tx, id);
    if (removed === undefined) throw noSuchShare();
    return removed;
  }

  /** @throws Failure `not-found`, even while the file is in the recycle bin */
  get(token: string): Promise<Share> {
    return getShare(this.#parts.database.db, 'V2', token);
  }

  /** Counts a view. @returns the share with the new number @throws Failure `not-found` */
  async view(share: Share): Promise<Share> {
    const viewCount = await this.#parts.counters.countView(share.id);
    if (viewCount === undefined) throw noSuchShare();
    return { ...share, viewCount };
  }

  /**
   * See {@link LinkPasswords.check}.
   * @throws Failure `forbidden` when the password is missing or wrong; `too-many`
   */
  checkPassword(share: Share, password: string | undefined, visitor: LinkVisitor): Promise<void> {
    return this.#parts.passwords.check(share, String(share.id), password, visitor);
  }

  /**
   * Spends one download of the budget.
   * @throws Failure `expired`, `forbidden`, `not-found` if the share does not, or no longer, allow downloads
   */
  async spendDownload(share: Share): Promise<void> {
    if (await this.#parts.counters.spendDownload(share.id)) return;
    await this.#explain(this.#parts.database.db, share, 'download');
  }

  /** Refunds a spent download that did not send any bytes. */
  async refundDownload({ id }: Share): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transact((tx) => refundUnit(tx, id, clock.now()));
  }

  /**
   * Copies the file into the caller's drive. Spends one use of the budget, like a download.
   * @throws Failure `expired`, `forbidden`, `not-found`; as for any copy: `conflict`, `over-limit`, `invalid`
   */
  async import(actor: Actor, share: Share, target: ImportTarget): Promise<EntryWithPath> {
    checkAllows(share, 'import');
    checkUsable(share, this.#parts.clock.now());
    const source = { driveId: share.driveId, entryId: share.entry.id };
    return await this.#parts.drive.fileImport.importEntry(actor, source, target, async (tx) => {
      const spent = await spendUnit(tx, share.id, 'import', this.#parts.clock.now());
      if (spent === undefined) await this.#explain(tx, share, 'import');
      if (spent?.isLast === true) await this.#parts.endings.tellUsedUp(tx, [share.id]);
    });
  }

  /** Throws the reason why the budget could not be spent, according to the share's current state. */
  async #explain(db: Db, before: Share, use: Use): Promise<never> {
    const share = await getShare(db, 'V2', before.token);
    checkAllows(share, use);
    checkUsable(share, this.#parts.clock.now());
    throw new Failure('unavailable', 'The share was changed at the same moment.', { retryAfterSeconds: 1 });
  }
}

type Use = 'import' | 'download';

/** @throws Failure `forbidden` */
export function checkAllows(share: Share, use: Use): void {
  if (use === 'import' ? share.allowImport : share.allowDownload) return;
  throw new Failure('forbidden', `This share allows no ${use}.`);
}
