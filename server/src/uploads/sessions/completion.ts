import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import type { UploadStatus } from '../../base/domain/uploads.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Database, Db } from '../../database/database.ts';
import type { Actor, EntryWithPath, FileCreation, NewFile } from '../../drive/drive.ts';
import type { Leases } from '../../leases/leases.ts';
import type { Policies, StoredBytes } from '../../policies/policies.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import {
  lengthOfChunk,
  noSuchUpload,
  notOpen,
  statusAt,
  TERMINAL,
  type UploadSession,
} from '../upload-session.ts';
import type { SessionCleanup } from './cleanup.ts';
import { CompletionLock } from './completion-lock.ts';
import { checkEnabled, multipartOf } from './direct-uploads.ts';
import { findParts } from './part-queries.ts';
import { changeStatus, findSession, fromStored, setEntry } from './session-queries.ts';

/** The ends of a session of which nothing is kept. */
const WITHOUT_FILE: readonly UploadStatus[] = TERMINAL.filter((status) => status !== 'COMPLETED');

export interface Completed {
  readonly session: UploadSession;
  /** The new file; undefined when an earlier call has made it. */
  readonly added: EntryWithPath | undefined;
}

/**
 * How a session becomes a file, in steps that may each be repeated, by anybody, after a death at any place between them:
 *
 * 1. The store makes one object of what has come. That is done when the object is there, however often it is asked for.
 * 2. The session records that object as its bytes. From then on nothing else is taken for them.
 * 3. One transaction ends the session, charges the quota and makes the entry. It takes the bytes that the session's row
 *    names at that moment, so of any number who complete at once one makes the file, of the last bytes.
 *
 * No step reads the bytes: it costs the same for a byte and for a terabyte.
 */
export class Completion {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #cleanup: SessionCleanup;
  readonly #policies: Policies;
  readonly #fileCreation: FileCreation;
  readonly #clock: Clock;
  readonly #completionLock: CompletionLock;
  readonly #onUnchecked: () => void;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    cleanup: SessionCleanup;
    policies: Policies;
    fileCreation: FileCreation;
    clock: Clock;
    leases: Leases;
    /** Hears that there are new bytes whose checksum nobody has taken. */
    onUnchecked: () => void;
  }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#cleanup = parts.cleanup;
    this.#policies = parts.policies;
    this.#fileCreation = parts.fileCreation;
    this.#clock = parts.clock;
    this.#completionLock = new CompletionLock(parts.leases);
    this.#onUnchecked = parts.onUnchecked;
  }

  /**
   * Makes a file of the session. Refused, the session stays open.
   * @throws Failure `rejected` when bytes are missing, or it is not open; `conflict`, `over-limit`, `invalid`,
   *   `unavailable`
   */
  async complete(actor: Actor, session: UploadSession, file: NewFile): Promise<Completed> {
    if (TERMINAL.includes(statusAt(session, this.#clock.now()))) {
      return { session: this.#answerEnded(session), added: undefined };
    }
    await checkEnabled(this.#policies, this.#database, session.policyId);
    // Whole bytes need nothing of the store, and then the last step is all there is.
    const { completed, added } =
      session.stored === null
        ? await this.#completionLock.run(session.id, async () =>
            this.#finish(actor, await this.#read(session, this.#database.db), file),
          )
        : await this.#finish(actor, session, file);
    if (added === undefined) return { session: completed, added };
    const { stored } = completed;
    await this.#cleanup.remove(completed, stored?.objectKey);
    if (stored?.sha256 === null) this.#onUnchecked();
    return { session: completed, added };
  }

  async #finish(actor: Actor, session: UploadSession, file: NewFile) {
    if (TERMINAL.includes(session.status)) return { completed: this.#answerEnded(session), added: undefined };
    try {
      // What would be refused at the end is refused before the store has joined anything, as far as that can be known.
      await this.#fileCreation.checkCanCreate(actor.ownerId, file);
      const { size } = session.stored ?? (await this.#gather(session));
      const limit = await this.#fileCreation.getUploadLimit(actor.ownerId, session.policyId);
      if (size > limit.maxBytes) throw new Failure('over-limit', limit.message);
      return await this.#record(actor, session, file);
    } catch (error) {
      // It may have been refused for what somebody else has made of the same session meanwhile.
      const now = await this.#read(session, this.#database.db);
      if (now.status === 'COMPLETED' && (now.kind === 'SESSION' || isDefiniteFailure(error))) {
        return { completed: this.#answerEnded(now), added: undefined };
      }
      // Who ended it meanwhile cannot have removed what the store had not yet joined.
      if (WITHOUT_FILE.includes(now.status)) await this.#cleanup.remove(now);
      // Open again: the bytes are where they were.
      await this.#database.transact((tx) =>
        changeStatus(tx, session.id, 'UPLOADING', { now: this.#clock.now(), from: ['COMPLETING'] }),
      );
      throw error;
    }
  }

  /** The store's part: gives the bytes once they are one object, and the session knows it. */
  async #gather(session: UploadSession): Promise<StoredBytes> {
    const store = await this.#policies.getStore(session.policyId);
    switch (session.mode) {
      case 'DIRECT_MULTIPART':
        return await this.#join(session, store);
      case 'DIRECT_SINGLE':
        return await this.#recordFound(session, store);
      case 'PROXY':
        return await this.#finishWrite(session, store);
    }
  }

  async #join(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const upload = multipartOf(session);
    const recorded = await findParts(this.#database.db, session.id);
    checkComplete(session, recorded);
    const parts = recorded.map(({ index, etag }) => ({ number: index + 1, etag }));
    if (store.direct === undefined) throw new Error('The store takes no direct uploads.');
    await this.#move(session, 'COMPLETING');
    await store.direct.completeMultipart(upload, parts);
    return await this.#recordFound(session, store);
  }

  async #finishWrite(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const { received, uploadId: id, objectKey: key, size } = session;
    if (id === null || received.size < size) {
      throw new Failure('rejected', 'The bytes of this upload have not come yet.');
    }
    await store.resumable.finish({ key, id, size }, received);
    return await this.#keep(session, size);
  }

  /** The object that the client has put into the store under the session's key. */
  async #recordFound(session: UploadSession, store: ObjectStore): Promise<StoredBytes> {
    const found = await store.find(session.objectKey);
    if (found === undefined) throw new Failure('rejected', 'The bytes of this upload have not come yet.');
    const isRight = session.kind === 'LEGACY' ? found.size <= session.size : found.size === session.size;
    if (isRight) return await this.#keep(session, found.size);
    // From a store that does not hold clients to what was signed. Only a session that is at its end can lose its object.
    const failed = await this.#move(session, 'FAILED');
    if (failed !== undefined) await this.#cleanup.remove(failed);
    throw new Failure('rejected', `The store has ${found.size} bytes, and ${session.size} were announced.`);
  }

  async #keep(session: UploadSession, size: number): Promise<StoredBytes> {
    const { policyId, objectKey } = session;
    const bytes = { policyId, objectKey, size, sha256: null, crc32: null };
    await this.#move(session, session.mode === 'DIRECT_MULTIPART' ? 'COMPLETING' : 'UPLOADING', bytes);
    return bytes;
  }

  /** Undefined where it may not go there: somebody has ended it, and the last step will tell. */
  #move(session: UploadSession, to: UploadStatus, bytes?: StoredBytes): Promise<UploadSession | undefined> {
    const change = bytes === undefined ? {} : fromStored(bytes);
    return this.#database.transact((tx) =>
      changeStatus(tx, session.id, to, { now: this.#clock.now(), change }),
    );
  }

  async #record(actor: Actor, session: UploadSession, file: NewFile) {
    return this.#accounts.withDriveLock(actor.ownerId, 0, async (tx) => {
      const now = this.#clock.now();
      const moved = await changeStatus(tx, session.id, 'COMPLETED', { now, change: { writer: null } });
      if (moved === undefined) {
        return { completed: this.#answerEnded(await this.#read(session, tx)), added: undefined };
      }
      if (moved.stored === null) throw new Failure('rejected', 'The bytes of this upload have not come yet.');
      await this.#accounts.chargeUsage(tx, actor.ownerId, { bytes: moved.stored.size, files: 1 });
      const added = await this.#fileCreation.insertFile(tx, actor, moved.stored, file);
      const completed = await setEntry(tx, session.id, added.entry.id);
      return { completed, added };
    });
  }

  /** The session as it is by now. @throws Failure `not-found` */
  async #read({ ownerId, id }: UploadSession, db: Db): Promise<UploadSession> {
    const session = await findSession(db, ownerId, id);
    if (session === undefined) throw noSuchUpload();
    return session;
  }

  /** A legacy key works once; a session answers the same however often it is completed. */
  #answerEnded(session: UploadSession): UploadSession {
    if (session.kind === 'LEGACY') throw noSuchUpload();
    if (session.status !== 'COMPLETED') throw notOpen(statusAt(session, this.#clock.now()));
    return session;
  }
}

/** @throws Failure `rejected` naming the first part that is missing */
function checkComplete(session: UploadSession, parts: readonly { index: number; size: number }[]): void {
  for (let index = 0; index < session.chunkCount; index += 1) {
    if (parts[index]?.index === index && parts[index]?.size === lengthOfChunk(session, index)) continue;
    throw new Failure('rejected', `The part ${index} of ${session.chunkCount} has not been recorded.`);
  }
}
