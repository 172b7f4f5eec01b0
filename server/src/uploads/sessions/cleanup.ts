import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { UploadSession } from '../upload-session.ts';
import { deleteParts } from './part-queries.ts';

interface SessionCleanupParts {
  readonly database: Database;
  readonly policies: Policies;
  readonly blobs: Blobs;
}

/** Removes the leftovers of an ended session from the store and the database, after the end was committed. */
export class SessionCleanup {
  readonly #parts: SessionCleanupParts;

  constructor(parts: SessionCleanupParts) {
    this.#parts = parts;
  }

  /**
   * Removes part records, unfinished writes, parts, and objects that did not become the file. The sweeper
   * later removes the rest, because nothing claims it any more.
   *
   * @param keptKey the object that became the file
   * @returns false when the store was unreachable
   */
  async remove(session: UploadSession, keptKey?: string): Promise<boolean> {
    if (session.mode === 'DIRECT_MULTIPART') {
      await this.#parts.database.transact((tx) => deleteParts(tx, session.id));
    }
    const { policyId, objectKey, stored, received } = session;
    try {
      if (keptKey !== objectKey) await this.#endWrite(session);
    } catch {
      return false;
    }
    const keys = new Set([objectKey, stored?.objectKey, received.tailKey].filter((key) => key !== keptKey));
    const places = [...keys].flatMap((key) => (key ? [{ policyId, objectKey: key }] : []));
    await this.#parts.blobs.discard(places);
    return true;
  }

  /**
   * Removes content that newer content has replaced, or that must make room for newer content. The session's
   * row must no longer name it. Never fails: the sweeper removes what cannot be removed now.
   */
  async removeReplaced(session: UploadSession): Promise<void> {
    await this.#endWrite(session).catch(() => undefined);
    const { policyId, stored, received } = session;
    const keys = [stored?.objectKey, received.tailKey];
    await this.#parts.blobs.discard(keys.flatMap((key) => (key ? [{ policyId, objectKey: key }] : [])));
  }

  async #endWrite({ policyId, objectKey, uploadId, mode, size, received }: UploadSession): Promise<void> {
    if (uploadId === null) return;
    const store = await this.#parts.policies.getStore(policyId);
    if (mode === 'DIRECT_MULTIPART') await store.direct?.abortMultipart({ key: objectKey, id: uploadId });
    else await store.resumable.abort({ key: objectKey, id: uploadId, size }, received);
  }
}
