import { type Clock, HOUR, MINUTE, toTimestamp } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { systemIds } from '../../base/ids.ts';
import type { FileName } from '../../base/text/file-name.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { DownloadableStream } from '../../http/download/file-download.ts';
import { getTopEntries } from './top-entries.ts';
import type { TreeReader } from './tree-reader.ts';
import { readZipContents } from './zip-contents.ts';
import { ZipDownload } from './zip-download.ts';
import { findZipTicket, insertZipTicket, startZipTicket } from './zip-ticket-queries.ts';

const START_WITHIN_MS = 5 * MINUTE;
const RESUMABLE_MS = HOUR;
const MAX_TICKETS_PER_OWNER = 100;
const TOKEN_BITS = 128;

/**
 * Downloads of several entries as one ZIP archive, by a URL that needs no login, so that a browser can load it
 * with its own download manager.
 */
export class ZipTickets {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #treeReader: TreeReader;
  readonly #maxTreeEntries: number;

  constructor(parts: {
    database: Database;
    blobs: Blobs;
    clock: Clock;
    treeReader: TreeReader;
    maxTreeEntries: number;
  }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#clock = parts.clock;
    this.#treeReader = parts.treeReader;
    this.#maxTreeEntries = parts.maxTreeEntries;
  }

  /**
   * @param name of the archive; by default that of the entry, if there is one only
   * @returns the token of the URL, and until when the download must begin
   * @throws Failure `not-found` if one of the entries does not exist
   */
  async create(
    ownerId: number,
    fileIds: readonly number[],
    name: FileName | undefined,
  ): Promise<{ token: string; expiresAt: string }> {
    const ids = [...new Set(fileIds)];
    const entries = await getTopEntries(this.#database.db, ownerId, ids);
    const [first] = entries;
    const ownName = entries.length === 1 && first !== undefined ? first.name : 'Download';
    const token = systemIds.token(TOKEN_BITS);
    const expiresAt = this.#clock.now() + START_WITHIN_MS;
    const ticket = {
      token_hash: hashToken(token),
      owner_id: ownerId,
      name: name?.replace(/(?<=.)\.zip$/i, '') ?? ownName,
      entry_ids: JSON.stringify(ids),
      expires_at: expiresAt,
    };
    await this.#database.transact((tx) => insertZipTicket(tx, ticket, MAX_TICKETS_PER_OWNER));
    return { token, expiresAt: toTimestamp(expiresAt) };
  }

  /**
   * Opens the archive of a ticket. The first call begins the download, which can be resumed for an hour.
   * @param signal aborts when the client has disconnected
   * @throws Failure `not-found` if the ticket has expired, or an entry is gone; `over-limit` for too many entries
   */
  async open(token: string, signal: AbortSignal): Promise<DownloadableStream> {
    const now = this.#clock.now();
    const tokenHash = hashToken(token);
    const ticket = await findZipTicket(this.#database.db, tokenHash, now);
    if (ticket === undefined)
      throw new Failure('not-found', 'This download has expired. Please start it again.');
    const ids = JSON.parse(ticket.entry_ids);
    const entries = await getTopEntries(this.#database.db, ticket.owner_id, ids);
    const limits = { maxEntries: this.#maxTreeEntries, signal };
    const contents = await readZipContents(this.#treeReader, entries, limits);
    if (ticket.is_started === 0) {
      await this.#database.transact((tx) =>
        startZipTicket(tx, tokenHash, { now, until: now + RESUMABLE_MS }),
      );
    }
    return new ZipDownload({ database: this.#database, blobs: this.#blobs, contents, name: ticket.name });
  }

  /** Deletes the tickets of an account that is being deleted. */
  deleteAllOf(ownerId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#database, 'zip_ticket', ownerId, signal);
  }

  /** Deletes expired tickets in batches. Stops between two batches if the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#database, 'zip_ticket', this.#clock.now(), signal);
  }
}
