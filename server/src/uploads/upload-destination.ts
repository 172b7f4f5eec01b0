import { Failure } from '../base/failure.ts';
import type { Tx } from '../database/database.ts';
import type { Actor, EntryWithPath, FileCreation, NewFile } from '../drive/drive.ts';
import type { StoredBytes } from '../policies/policies.ts';

/** The drive that a session belongs to, and the folder link whose visitor has begun it; null for the owner. */
export interface SessionHolder {
  readonly ownerId: number;
  readonly folderLinkId: number | null;
}

/** The unfinished sessions that there are already. */
export interface OpenSessions {
  /** In the drive. */
  readonly count: number;
  /** Of the folder link; 0 for the owner. */
  readonly countOfLink: number;
}

/** Where the files of upload sessions go, and by whose rules. */
export interface UploadDestination extends SessionHolder {
  /** The size limit of an upload that begins now. @throws Failure */
  getLimit(): Promise<{ readonly maxBytes: number; readonly message: string }>;
  /** The largest size that clients may be told; undefined if it is not for them. */
  findPublicLimit(): Promise<number | undefined>;
  /** The name that a visitor has given; null for the owner. @throws Failure `invalid` for what is not allowed here */
  readSender(find: (key: string) => string | undefined): string | null;
  /** Checks whether the file could be created now. Lets callers reject early; {@link insertFile} decides. */
  checkCanCreate(file: NewFile): Promise<void>;
  /** Checks in the transaction that creates a session, and has locked the drive, whether there may be one more. */
  checkCanOpen(tx: Tx, open: OpenSessions): Promise<void>;
  /** Creates the file, in a transaction that has locked the drive and charged the file. */
  insertFile(tx: Tx, bytes: StoredBytes, file: NewFile, sender: string | null): Promise<EntryWithPath>;
}

/** Open sessions per owner: more than any client needs, few enough to do no harm. */
const MAX_OPEN_SESSIONS = 10_000;

/** The drive of an owner who uploads. */
export class OwnDrive implements UploadDestination {
  readonly ownerId: number;
  readonly folderLinkId = null;
  readonly #fileCreation: FileCreation;
  readonly #actor: Actor;

  constructor(fileCreation: FileCreation, actor: Actor) {
    this.#fileCreation = fileCreation;
    this.#actor = actor;
    this.ownerId = actor.ownerId;
  }

  getLimit() {
    return this.#fileCreation.getUploadLimit(this.ownerId);
  }

  async findPublicLimit(): Promise<number> {
    return (await this.getLimit()).maxBytes;
  }

  readSender(): null {
    return null;
  }

  checkCanCreate(file: NewFile): Promise<void> {
    return this.#fileCreation.checkCanCreate(this.ownerId, file);
  }

  async checkCanOpen(_tx: Tx, { count }: OpenSessions): Promise<void> {
    if (count < MAX_OPEN_SESSIONS) return;
    throw new Failure('rejected', 'Too many uploads are open. Complete or cancel some of them first.');
  }

  insertFile(tx: Tx, bytes: StoredBytes, file: NewFile): Promise<EntryWithPath> {
    return this.#fileCreation.insertFile(tx, this.#actor, bytes, file);
  }
}
