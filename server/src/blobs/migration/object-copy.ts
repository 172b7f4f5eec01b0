import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteDigest } from '../../base/bytes/byte-streams.ts';
import { SECOND } from '../../base/clock.ts';
import { Failure, isNotFound } from '../../base/failure.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { digestObject, LengthMismatch } from '../object-digest.ts';
import type { BlobCopy } from './queries.ts';

/** Retries, so that a short outage of a store does not end a migration that has run for a day. */
const RETRY_AFTER_MS = [1 * SECOND, 4 * SECOND, 15 * SECOND, 30 * SECOND];

export interface CopyStores {
  readonly source: ObjectStore;
  readonly target: ObjectStore;
}

interface CopyOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the copy that were verified; negative when the copy is repeated. */
  readonly onBytes: (count: number) => void;
}

/**
 * Copies one object and verifies the copy: the SHA-256 of the bytes that the target returns must be the
 * recorded one. If none is recorded, it must be the SHA-256 of the bytes that were copied.
 *
 * @throws Failure `rejected` when the bytes are missing or differ from the record; `unavailable` when a store
 *   is unavailable for longer than the retries take; the reason of the signal
 */
export async function copyObject(
  stores: CopyStores,
  copy: BlobCopy,
  { signal, onBytes }: CopyOptions,
): Promise<ByteDigest> {
  for (let failures = 0; ; failures += 1) {
    let seen = 0;
    const count = (bytes: number) => {
      seen += bytes;
      onBytes(bytes);
    };
    try {
      return await copyOnce(stores, copy, { signal, onBytes: count });
    } catch (error) {
      onBytes(-seen);
      signal.throwIfAborted();
      const delayMs = RETRY_AFTER_MS[failures];
      if (!isUnavailable(error) || delayMs === undefined) throw toFailure(error, copy);
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

async function copyOnce(stores: CopyStores, copy: BlobCopy, options: CopyOptions): Promise<ByteDigest> {
  const expected = await copyBytes(stores, copy, options.signal);
  const target = { objectKey: copy.targetKey, size: copy.size };
  const digest = await digestObject(target, await openCopy(stores.target, copy), options);
  if (digest.sha256 !== expected) throw wrongBytes(copy);
  return digest;
}

/** Copies the bytes. Returns the SHA-256 that the copy must have. */
async function copyBytes(
  { source, target }: CopyStores,
  copy: BlobCopy,
  signal: AbortSignal,
): Promise<string> {
  const { sourceKey, targetKey, size, sha256 } = copy;
  // A copy inside the store is only possible for hashed objects: others must pass through this service to be
  // hashed.
  if (sha256 !== null && (await target.copyFrom(source, sourceKey, targetKey, { signal }))) return sha256;
  const written = await target.write(targetKey, await source.open(sourceKey), { signal });
  if (written.size !== size) throw new LengthMismatch({ objectKey: sourceKey, size }, String(written.size));
  if (sha256 !== null && written.sha256 !== sha256) throw wrongBytes(copy);
  return written.sha256;
}

/** A copy that is gone says nothing about the bytes of the source, and may be made again. */
async function openCopy(target: ObjectStore, { targetKey }: BlobCopy): Promise<Readable> {
  try {
    return await target.open(targetKey);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Failure('unavailable', `The copy ${targetKey} is not there.`, { cause: error });
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}

function toFailure(error: unknown, { sourceKey }: BlobCopy): unknown {
  if (error instanceof LengthMismatch) return new Failure('rejected', error.message, { cause: error });
  if (!isNotFound(error)) return error;
  return new Failure('rejected', `The bytes of the object ${sourceKey} are missing.`, { cause: error });
}

function wrongBytes({ sourceKey }: BlobCopy): Failure {
  return new Failure('rejected', `The bytes of the object ${sourceKey} differ from those that were stored.`);
}
