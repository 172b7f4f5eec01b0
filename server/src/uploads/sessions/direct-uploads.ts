import { type Clock, HOUR, SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { DirectTransfers, MultipartUpload, SignedRequest } from '../../storage/direct-transfers.ts';
import { checkMode, checkOpen, lengthOfChunk, notOpen, OPEN, type UploadSession } from '../upload-session.ts';
import { putPart } from './part-queries.ts';
import { changeStatus } from './session-queries.ts';

/** Signed requests expire after this time, or with the session if that is earlier. */
const SIGNED_MS = HOUR;

interface DirectUploadsParts {
  readonly database: Database;
  readonly policies: Policies;
  readonly clock: Clock;
}

/** Uploads that clients send to the store directly: signs the requests and records the parts. */
export class DirectUploads {
  readonly #parts: DirectUploadsParts;

  constructor(parts: DirectUploadsParts) {
    this.#parts = parts;
  }

  /** Signs a request that stores the whole file. @throws Failure `rejected`, `unavailable` */
  async prepare(session: UploadSession): Promise<SignedRequest> {
    checkMode(session, 'DIRECT_SINGLE');
    const direct = await this.#open(session);
    return await direct.signPut(session.objectKey, session.size, this.#lifetimeOf(session));
  }

  /**
   * Signs a request that stores one part.
   * @throws Failure `invalid` for an unknown part; `rejected`, `unavailable`
   */
  async preparePart(session: UploadSession, index: number): Promise<SignedRequest> {
    const upload = multipartOf(session);
    const size = lengthOfChunk(session, index);
    checkNotJoined(session);
    const direct = await this.#open(session);
    return await direct.signPart(upload, { number: index + 1, size }, this.#lifetimeOf(session));
  }

  /**
   * Records a part that the client reports as stored. The store verifies it at completion.
   * @throws Failure `invalid`, `rejected`
   */
  async recordPart(
    session: UploadSession,
    index: number,
    part: { readonly etag: string; readonly size: number },
  ): Promise<UploadSession> {
    multipartOf(session);
    const expected = lengthOfChunk(session, index);
    const etag = part.etag.trim();
    if (etag === '') throw new Failure('invalid', 'etag must not be blank.');
    if (part.size !== expected) throw new Failure('invalid', `The part must have ${expected} bytes.`);
    await checkEnabled(this.#parts.policies, this.#parts.database, session.policyId);
    const now = this.#parts.clock.now();
    return await this.#parts.database.transact(async (tx) => {
      const moved = await changeStatus(tx, session.id, 'UPLOADING', { now, from: OPEN });
      if (moved === undefined) throw notOpen();
      checkNotJoined(moved);
      await putPart(tx, { session_id: session.id, part_index: index, etag, size: part.size });
      return moved;
    });
  }

  async #open(session: UploadSession): Promise<DirectTransfers> {
    checkOpen(session, this.#parts.clock.now());
    await checkEnabled(this.#parts.policies, this.#parts.database, session.policyId);
    const { direct } = await this.#parts.policies.getStore(session.policyId);
    if (direct === undefined)
      throw new Error(`The store of policy ${session.policyId} takes no direct uploads.`);
    return direct;
  }

  #lifetimeOf(session: UploadSession): number {
    return Math.max(SECOND, Math.min(SIGNED_MS, session.expiresAt - this.#parts.clock.now()));
  }
}

/** @throws Failure `rejected` */
function checkNotJoined({ stored }: UploadSession): void {
  if (stored !== null) throw new Failure('rejected', 'The parts have been joined already.');
}

/** @throws Failure `rejected` when the session has another mode */
export function multipartOf(session: UploadSession): MultipartUpload {
  checkMode(session, 'DIRECT_MULTIPART');
  if (session.uploadId === null) throw new Error(`The session ${session.id} has no multipart upload.`);
  return { key: session.objectKey, id: session.uploadId };
}

/** @throws Failure `rejected` when the policy is disabled */
export async function checkEnabled(policies: Policies, { db }: Database, policyId: number): Promise<void> {
  const policy = await policies.find(db, policyId);
  if (policy?.isEnabled !== true) throw new Failure('rejected', 'The storage of this upload is disabled.');
}
