import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import type { AccountInDrive } from '../base/domain/drives.ts';
import type { Ids } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/page.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Actor, Drive, EntryWithPath, ImportTarget } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import { LINK_TOKEN_BITS } from '../links/links.ts';
import { deleteShare, findShareOfEntry, findSharesOfDrive, insertShare, spendUnit } from './queries.ts';
import { noSuchShare, type Share } from './share.ts';
import type { ShareCounters } from './share-counters.ts';
import { getShare } from './share-token.ts';

/** The options of every legacy link. */
const WITHOUT_LIMITS = {
  shareName: null,
  passwordHash: null,
  expiresAt: null,
  maxDownloads: null,
  allowImport: true,
  allowDownload: false,
} as const;

interface ShareLinksParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly drive: Drive;
  readonly counters: ShareCounters;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Legacy links to a file or a directory: at most one for each entry, valid while the entry is live. */
export class ShareLinks {
  readonly #parts: ShareLinksParts;
  readonly #fileCountCache: FileCountCache;

  constructor(parts: ShareLinksParts) {
    this.#parts = parts;
    this.#fileCountCache = new FileCountCache(parts.drive, parts.clock);
  }

  /** @throws Failure `not-found` */
  getOrCreate(maker: AccountInDrive, entryId: number): Promise<Share> {
    const { driveId, accountId: creatorId } = maker;
    return this.#parts.drives.withDriveLock(maker, 0, async (tx) => {
      const entry = await this.#parts.drive.listing.getLiveEntry(tx, driveId, entryId);
      const token = this.#parts.ids.token(LINK_TOKEN_BITS);
      const named = { kind: 'LEGACY', token, driveId, creatorId, entryId: entry.id } as const;
      await insertShare(tx, { ...WITHOUT_LIMITS, ...named }, this.#parts.clock.now());
      const share = await findShareOfEntry(tx, entry.id);
      if (share === undefined) throw noSuchShare();
      return share;
    });
  }

  /** Lists the drive's links to live entries, newest first, with the paths of the entries. */
  async listByDrive(
    driveId: number,
    { page, size }: PageRequest,
  ): Promise<Page<{ share: Share; file: EntryWithPath }>> {
    const { items, total } = await findSharesOfDrive(this.#parts.database.db, 'LEGACY', driveId, {
      page,
      size,
    });
    const placed = await this.#parts.drive.listing.resolvePaths(items.map(({ entry }) => entry));
    const files = new Map(placed.map((file) => [file.entry.id, file]));
    // An entry that was purged meanwhile has no path, and its link is gone.
    const found = items.flatMap((share) => {
      const file = files.get(share.entry.id);
      return file === undefined ? [] : [{ share, file }];
    });
    return { items: found, total, page, size };
  }

  /** Deletes a link of the drive, which immediately stops working. @throws Failure `not-found` */
  async delete(user: AccountInDrive, id: number): Promise<void> {
    const remove = (tx: Tx) => deleteShare(tx, 'LEGACY', user.driveId, id);
    if (!(await this.#parts.drives.withRole(user, remove))) throw noSuchShare();
  }

  /** @throws Failure `not-found` */
  get(token: string): Promise<Share> {
    return getShare(this.#parts.database.db, 'LEGACY', token);
  }

  /**
   * Gets the share, and for a directory the number of files in its tree. Counts a view, unless the share is in
   * the personal drive of the viewer.
   * @param viewerDriveId the personal drive; undefined without a login; null for a HEAD request, which is not a
   *   view
   * @throws Failure `not-found`
   */
  async view(
    token: string,
    viewerDriveId: number | undefined | null,
  ): Promise<{ share: Share; fileCount: number | undefined }> {
    const share = await this.get(token);
    const isView = viewerDriveId !== null && viewerDriveId !== share.driveId;
    if (isView) await this.#parts.counters.countView(share.id);
    const { entry } = share;
    return { share, fileCount: entry.isDirectory ? await this.#fileCountCache.get(entry.id) : undefined };
  }

  /**
   * Copies the file, or the directory with everything in it, into the caller's drive. Copies everything or
   * nothing.
   * @throws Failure `not-found`; as for any copy: `conflict`, `over-limit`, `invalid`, `rejected`
   */
  async import(actor: Actor, token: string, target: ImportTarget): Promise<EntryWithPath> {
    const { id, driveId, entry } = await this.get(token);
    const source = { driveId, entryId: entry.id };
    return await this.#parts.drive.fileImport.importEntry(actor, source, target, async (tx) => {
      if ((await spendUnit(tx, id, 'import', this.#parts.clock.now())) === undefined) throw noSuchShare();
    });
  }
}

/** Directories with fewer entries are counted again for each request. */
const MAX_UNCACHED_ENTRIES = 2_000;
/** How long the count of a larger directory is cached. */
const CACHE_MS = 30 * SECOND;
const MAX_CACHED = 1_000;

/**
 * Counts the files in the trees of shared directories. Anyone with a link can request the count, so slow
 * counts are cached, and concurrent requests share them.
 */
class FileCountCache {
  readonly #drive: Drive;
  readonly #clock: Clock;
  readonly #cached = new Map<number, { readonly count: Promise<number>; readonly until: Instant }>();

  constructor(drive: Drive, clock: Clock) {
    this.#drive = drive;
    this.#clock = clock;
  }

  async get(directoryId: number): Promise<number> {
    const known = this.#cached.get(directoryId);
    if (known !== undefined && known.until > this.#clock.now()) return await known.count;
    this.#cached.delete(directoryId);
    if (await this.#drive.listing.isLargeTree(directoryId, MAX_UNCACHED_ENTRIES))
      return await this.#countOnce(directoryId);
    return await this.#drive.listing.countFiles(directoryId);
  }

  async #countOnce(directoryId: number): Promise<number> {
    // Another request may have begun counting while this one checked whether the directory is small.
    const known = this.#cached.get(directoryId);
    if (known !== undefined) return await known.count;
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    const count = this.#drive.listing.countFiles(directoryId);
    this.#cached.set(directoryId, { count, until: this.#clock.now() + CACHE_MS });
    count.catch(() => this.#cached.delete(directoryId));
    return await count;
  }
}
