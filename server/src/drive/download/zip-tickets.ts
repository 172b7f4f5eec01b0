import type { Accounts } from '../../accounts/accounts.ts';
import { type Clock, HOUR, MINUTE } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import { systemIds } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import type { DownloadClient } from '../../http/download/download-client.ts';
import type { DownloadableStream } from '../../http/download/file-download.ts';
import type { OpenArchives } from './open-archives.ts';
import { getTopEntries } from './top-entries.ts';
import { ZipDownload } from './zip-download.ts';
import {
  deleteZipTickets,
  findZipTicket,
  insertZipTicket,
  type NewZipTicket,
  startZipTicket,
  type ZipTicket,
} from './zip-ticket-queries.ts';

const START_WITHIN_MS = 5 * MINUTE;
const RESUMABLE_MS = HOUR;
/** The maximum number of tickets of an account in one drive, and of a folder link. */
const MAX_TICKETS = 100;
const TOKEN_BITS = 128;
/** Two names of this length, in any script, fit into the longest allowed name. */
const MAX_NAME_CHARACTERS = 30;

/** Who makes a ticket: the account, and its login session or the name of its app password. */
interface TicketHolder {
  readonly driveId: number;
  readonly accountId: number;
  readonly sessionId: string;
}

/** The token for a URL, and the time by which the download must begin. */
interface NewTicket {
  readonly token: string;
  readonly expiresAt: string;
}

interface ZipTicketsParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly openArchives: OpenArchives;
  readonly accounts: Accounts;
}

/**
 * Downloads several entries as one ZIP archive. The URL needs no login, so a browser can use its own download
 * manager.
 */
export class ZipTickets {
  readonly #parts: ZipTicketsParts;

  constructor(parts: ZipTicketsParts) {
    this.#parts = parts;
  }

  /**
   * @param name the name of the archive; by default after its content
   * @throws Failure `not-found` if one of the entries does not exist
   */
  async create(
    { driveId, accountId, sessionId }: TicketHolder,
    fileIds: readonly number[],
    name: FileName | undefined,
  ): Promise<NewTicket> {
    const ids = [...new Set(fileIds)];
    const entries = await getTopEntries(this.#parts.database.db, driveId, ids);
    return await this.#insert({
      drive_id: driveId,
      name: name?.replace(/(?<=.)\.zip$/i, '') ?? archiveNameOf(entries),
      entry_ids: JSON.stringify(ids),
      account_id: accountId,
      session_id: sessionId,
      folder_link_id: null,
      paths: null,
    });
  }

  /**
   * Creates a ticket for paths below a folder link, which the caller has checked. It is valid at that link
   * only.
   * @param link.driveId the drive of the link
   */
  createForLink(
    link: { readonly id: number; readonly driveId: number; readonly title: string },
    paths: readonly LogicalPath[],
  ): Promise<NewTicket> {
    return this.#insert({
      drive_id: link.driveId,
      name: link.title,
      entry_ids: '[]',
      account_id: null,
      session_id: null,
      folder_link_id: link.id,
      paths: JSON.stringify(paths),
    });
  }

  /**
   * Opens the archive of a ticket. The first call begins the download, which can be resumed for an hour.
   * @throws Failure `not-found` if the ticket, or the session or app password that made it, has ended, or an
   *   entry is gone; as {@link OpenArchives.read}
   */
  async open(token: string, client: DownloadClient): Promise<DownloadableStream> {
    const ticket = await this.#get(token, null);
    await this.#checkHolder(ticket);
    const ids = JSON.parse(ticket.entry_ids);
    const entries = await getTopEntries(this.#parts.database.db, ticket.drive_id, ids);
    const contents = await this.#parts.openArchives.read(entries, client);
    await this.#start(ticket);
    return new ZipDownload({
      database: this.#parts.database,
      blobs: this.#parts.blobs,
      contents,
      name: ticket.name,
    });
  }

  /**
   * Opens the download of a ticket for a folder link. Like {@link open}, the first call begins it.
   * @param openPaths opens the download of paths below the link
   * @throws Failure `not-found` if the ticket has expired; as `openPaths`
   */
  async openForLink<T>(
    token: string,
    folderLinkId: number,
    openPaths: (paths: readonly LogicalPath[]) => Promise<T>,
  ): Promise<T> {
    const ticket = await this.#get(token, folderLinkId);
    const paths: readonly string[] = JSON.parse(ticket.paths ?? '[]');
    const download = await openPaths(paths.map(toLogicalPath));
    await this.#start(ticket);
    return download;
  }

  /** Deletes the tickets of an account in drives of which it is no longer a member. */
  deleteOfMember(tx: Tx, former: AccountInDrives): Promise<void> {
    return deleteZipTickets(tx, former);
  }

  /** Deletes the tickets of a drive that is being deleted. */
  deleteAllOf(driveId: number, signal: AbortSignal): Promise<void> {
    return deleteRowsOf(this.#parts.database, 'zip_ticket', driveId, signal);
  }

  /** Deletes expired tickets in batches. Stops between two batches if the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'zip_ticket', this.#parts.clock.now(), signal);
  }

  async #insert(ticket: Omit<NewZipTicket, 'token_hash' | 'expires_at'>): Promise<NewTicket> {
    const token = systemIds.token(TOKEN_BITS);
    const expiresAt = this.#parts.clock.now() + START_WITHIN_MS;
    const added = { ...ticket, token_hash: hashToken(token), expires_at: expiresAt };
    await this.#parts.database.transact((tx) => insertZipTicket(tx, added, MAX_TICKETS));
    return { token, expiresAt: toTimestamp(expiresAt) };
  }

  async #get(token: string, folderLinkId: number | null): Promise<ZipTicket> {
    const key = { tokenHash: hashToken(token), folderLinkId };
    const ticket = await findZipTicket(this.#parts.database.db, key, this.#parts.clock.now());
    if (ticket !== undefined) return ticket;
    throw expired();
  }

  /** A ticket ends with the login session or the app password that made it. */
  async #checkHolder({ session_id: sessionId }: ZipTicket): Promise<void> {
    const live =
      sessionId !== null && (await this.#parts.accounts.findLiveSessions([sessionId])).has(sessionId);
    if (!live) throw expired();
  }

  async #start({ is_started: isStarted, token_hash: tokenHash }: ZipTicket): Promise<void> {
    if (isStarted === 1) return;
    const now = this.#parts.clock.now();
    await this.#parts.database.transact((tx) =>
      startZipTicket(tx, tokenHash, { now, until: now + RESUMABLE_MS }),
    );
  }
}

/** After its content: "Photos and Work", "Photos and 3 more". */
function archiveNameOf([first, second, ...others]: readonly { readonly name: string }[]): string {
  if (first === undefined) return 'Download';
  if (second === undefined) return first.name;
  const rest = others.length === 0 ? cutName(second.name) : `${others.length + 1} more`;
  return `${cutName(first.name)} and ${rest}`;
}

function cutName(name: string): string {
  return Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

function expired(): Failure {
  return new Failure('not-found', 'This download has expired. Please start it again.');
}
