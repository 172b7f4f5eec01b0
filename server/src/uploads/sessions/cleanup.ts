import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { UploadSession } from '../upload-session.ts';
import { deleteParts } from './part-queries.ts';

/** Removes what sessions leave behind, once their end is committed. */
export class SessionCleanup {
  readonly #database: Database;
  readonly #policies: Policies;
  readonly #blobs: Blobs;

  constructor(parts: { database: Database; policies: Policies; blobs: Blobs }) {
    this.#database = parts.database;
    this.#policies = parts.policies;
    this.#blobs = parts.blobs;
  }

  /**
   * Removes the records of parts, and what the session has in the store and no file has taken: unfinished writes, parts,
   * whole bytes. What the store does not let go now, the sweeper takes: nothing claims it any more.
   *
   * @param keptKey the object that has become a file
   * @returns false when the store was out of reach
   */
  async remove(session: UploadSession, keptKey?: string): Promise<boolean> {
    if (session.mode === 'DIRECT_MULTIPART') {
      await this.#database.transact((tx) => deleteParts(tx, session.id));
    }
    const { policyId, objectKey, stored, received } = session;
    try {
      if (keptKey !== objectKey) await this.#endWrite(session);
    } catch {
      return false;
    }
    const keys = new Set([objectKey, stored?.objectKey, received.tailKey].filter((key) => key !== keptKey));
    const places = [...keys].flatMap((key) => (key ? [{ policyId, objectKey: key }] : []));
    await this.#blobs.discard(places);
    return true;
  }

  async #endWrite({ policyId, objectKey, uploadId, mode, size, received }: UploadSession): Promise<void> {
    if (uploadId === null) return;
    const store = await this.#policies.getStore(policyId);
    if (mode === 'DIRECT_MULTIPART') await store.direct?.abortMultipart({ key: objectKey, id: uploadId });
    else await store.resumable.abort({ key: objectKey, id: uploadId, size }, received);
  }
}
