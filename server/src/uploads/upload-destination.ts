import type { Instant } from '../base/clock.ts';
import type { UploadConflictRule } from '../base/domain/uploads.ts';
import { Failure } from '../base/failure.ts';
import type { Tx } from '../database/database.ts';
import type { Actor, Drive, EntryWithPath, NewFile } from '../drive/drive.ts';
import type { StoredBytes } from '../policies/policies.ts';
import type { UploadSession } from './upload-session.ts';

/** Who a session belongs to, and how it was started. */
export interface SessionHolder {
  readonly driveId: number;
  /** Who uploads; null for a visitor. */
  readonly accountId: number | null;
  /** The folder link whose visitor started the session; null if an account did. */
  readonly folderLinkId: number | null;
  /** The file of an OFFLINE transfer that the session uploads; null for a file of the drive. */
  readonly transfer: TransferPlace | null;
}

interface TransferPlace {
  readonly id: string;
  readonly fileId: string;
  /** When the transfer ends. The uploads of its files end with it. */
  readonly expiresAt: Instant;
}

/**
 * The numbers and sizes of unfinished sessions. For visitors, they include running form uploads of visitors.
 */
export interface OpenUploads {
  /** The number of sessions in the whole drive. */
  readonly count: number;
  /** The number of sessions of the account in a shared drive, if there are many in that drive; otherwise 0. */
  readonly countOfAccount: number;
  /** The number of sessions of the folder link; 0 for a user of the drive. */
  readonly countOfLink: number;
  /** How many of the link's sessions take a place, and the bytes that these have announced or reserved. */
  readonly placesOfLink: number;
  readonly bytesOfLink: number;
  /** The number of sessions in the drive from the visitor's address; 0 for a user of the drive. */
  readonly countOfAddress: number;
}

/** The place where an upload session stores its file, with the rules and limits of that place. */
export interface UploadDestination extends SessionHolder {
  /** The visitor's address in the form that limits use; null for a user of the drive. */
  readonly visitorAddress: string | null;
  /** Checks whether an upload of this size may begin now. @throws Failure `over-limit` */
  checkSize(sizeBytes: number): Promise<void>;
  /** The maximum size, if clients may know it; otherwise undefined. */
  findPublicLimit(): Promise<number | undefined>;
  /**
   * The name that a visitor has entered; null for a user of the drive.
   * @throws Failure `invalid` for values that are not allowed here
   */
  readSender(find: (key: string) => string | undefined): string | null;
  /**
   * Checks whether the file could be created now. Lets callers reject early; {@link addFile} has the last
   * word.
   */
  checkCanCreate(file: NewFile, onConflict: UploadConflictRule): Promise<void>;
  /**
   * Checks whether a session may be created. Called in the transaction that creates the session, after it has
   * locked the drive.
   */
  checkCanOpen(tx: Tx, sizeBytes: number, open: OpenUploads): Promise<void>;
  /** Converts the error of a failed upload into the error that the client gets. */
  toClientError(error: unknown): unknown;
  /** Checks whether a file of this size may be completed now. @throws Failure `over-limit` */
  checkCanComplete(sizeBytes: number, policyId: number): Promise<void>;
  /**
   * Adds the file and charges it, in a transaction that has locked the drive.
   * @returns null if the file does not belong to a drive
   */
  addFile(
    tx: Tx,
    bytes: StoredBytes,
    file: NewFile,
    session: Pick<UploadSession, 'sender' | 'onConflict'>,
  ): Promise<EntryWithPath | null>;
}

/** Open sessions per drive: more than any client needs, but few enough to be harmless. */
const MAX_OPEN_SESSIONS = 10_000;

/** Open sessions of one member of a shared drive, so that no one takes all places of the drive. */
export const MAX_OPEN_SESSIONS_OF_MEMBER = 2_000;

/** @throws Failure `rejected` */
export function checkOpenCount({ count, countOfAccount }: OpenUploads): void {
  if (count < MAX_OPEN_SESSIONS && countOfAccount < MAX_OPEN_SESSIONS_OF_MEMBER) return;
  throw new Failure('rejected', 'Too many uploads are open. Complete or cancel some of them first.');
}

/** The drive to which an account uploads a file. */
export class OwnDrive implements UploadDestination {
  readonly driveId: number;
  readonly accountId: number | null;
  readonly folderLinkId = null;
  readonly transfer = null;
  readonly visitorAddress = null;
  readonly #drive: Drive;
  readonly #actor: Actor;

  constructor(drive: Drive, actor: Actor) {
    this.#drive = drive;
    this.#actor = actor;
    this.driveId = actor.driveId;
    this.accountId = actor.accountId;
  }

  async checkSize(sizeBytes: number): Promise<void> {
    const { maxBytes, message } = await this.#drive.content.getLimit(this.driveId);
    if (sizeBytes > maxBytes) throw new Failure('over-limit', message);
  }

  async findPublicLimit(): Promise<number> {
    return (await this.#drive.content.getLimit(this.driveId)).maxBytes;
  }

  readSender(): null {
    return null;
  }

  checkCanCreate(file: NewFile, onConflict: UploadConflictRule): Promise<void> {
    return this.#drive.content.checkCanCreate(this.driveId, file, onConflict);
  }

  async checkCanOpen(_tx: Tx, _sizeBytes: number, open: OpenUploads): Promise<void> {
    checkOpenCount(open);
  }

  toClientError(error: unknown): unknown {
    return error;
  }

  async checkCanComplete(sizeBytes: number, policyId: number): Promise<void> {
    const limit = await this.#drive.content.getLimit(this.driveId, { policyId });
    if (sizeBytes > limit.maxBytes) throw new Failure('over-limit', limit.message);
  }

  addFile(
    tx: Tx,
    bytes: StoredBytes,
    file: NewFile,
    { onConflict }: Pick<UploadSession, 'onConflict'>,
  ): Promise<EntryWithPath> {
    return this.#drive.contentChanges.add(tx, this.#actor, bytes, { file, onConflict });
  }
}
