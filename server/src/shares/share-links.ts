import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { LogicalPath } from '../base/logical-path.ts';
import type { Database } from '../database/database.ts';
import type { Actor, Drive, PlacedEntry } from '../drive/drive.ts';
import { countView, findShareOfEntry, insertShare } from './queries.ts';
import { noSuchShare, type Share } from './share.ts';
import { getShare, SHARE_TOKEN_BITS } from './token.ts';

/** The options that a legacy link does not have. */
const WITHOUT_LIMITS = {
  shareName: null,
  passwordHash: null,
  expiresAt: null,
  maxDownloads: null,
  allowImport: true,
  allowDownload: false,
} as const;

/**
 * Legacy links to a file or a whole directory (contract, section 3): one for each record, good as long as the record is
 * in the drive.
 */
export class ShareLinks {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #drive: Drive;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(parts: { database: Database; accounts: Accounts; drive: Drive; clock: Clock; ids: Ids }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#drive = parts.drive;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
  }

  /** The record's link, made when it has none. @throws Failure `not-found` */
  create(ownerId: number, entryId: number): Promise<Share> {
    return this.#accounts.changeDrive(ownerId, 0, async (tx) => {
      const entry = await this.#drive.listing.getLive(tx, ownerId, entryId);
      const token = this.#ids.token(SHARE_TOKEN_BITS);
      const link = { ...WITHOUT_LIMITS, kind: 'LEGACY', token, ownerId, entryId: entry.id } as const;
      await insertShare(tx, link, this.#clock.now());
      const share = await findShareOfEntry(tx, entry.id);
      if (share === undefined) throw noSuchShare();
      return share;
    });
  }

  /**
   * What the link shows, and of a directory how many files lie in it. Counts the view.
   * @throws Failure `not-found`
   */
  async view(token: string): Promise<{ share: Share; fileCount: number | undefined }> {
    const share = await getShare(this.#database.db, 'LEGACY', token);
    await this.#database.transact((tx) => countView(tx, share.id, this.#clock.now()));
    const { entry } = share;
    const fileCount = entry.isDirectory ? await this.#drive.listing.countFiles(entry.id) : undefined;
    return { share, fileCount };
  }

  /**
   * Copies the file, or the directory with everything below it, into the caller's drive.
   * @throws Failure `not-found`; `conflict`, `over-limit`, `invalid`, `rejected` as a copy is refused: then of nothing
   */
  async import(actor: Actor, token: string, targetPath: LogicalPath): Promise<PlacedEntry> {
    const { ownerId, entry } = await getShare(this.#database.db, 'LEGACY', token);
    const source = { ownerId, entryId: entry.id };
    return await this.#drive.imports.importEntry(actor, source, targetPath, async (tx) => {
      await getShare(tx, 'LEGACY', token);
    });
  }
}
