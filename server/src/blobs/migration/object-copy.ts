import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteDigest } from '../../base/bytes/byte-streams.ts';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { digestObject, LengthMismatch } from '../object-digest.ts';
import type { BlobCopy } from './queries.ts';

/** A store that is away for a moment does not end what has run for a day. */
const RETRY_AFTER_MS = [1 * SECOND, 4 * SECOND, 15 * SECOND, 30 * SECOND];

export interface CopyStores {
  readonly source: ObjectStore;
  readonly target: ObjectStore;
}

export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Hears of the bytes of the copy that were read again; of fewer when that is begun anew. */
  readonly onBytes: (count: number) => void;
}

/**
 * Copies one object and reads the copy. Nothing is taken on trust: what counts is the SHA-256 of the bytes that the
 * target gives back, against the recorded one, or where none is recorded against that of the bytes which went over.
 *
 * @throws Failure `rejected` when the bytes are missing or not those of the record; `unavailable`; the reason of the signal
 */
export async function copyObject(
  stores: CopyStores,
  move: BlobCopy,
  { signal, onBytes }: CopyOptions,
): Promise<ByteDigest> {
  for (let failures = 0; ; failures += 1) {
    let seen = 0;
    const count = (bytes: number) => {
      seen += bytes;
      onBytes(bytes);
    };
    try {
      return await copyOnce(stores, move, { signal, onBytes: count });
    } catch (error) {
      onBytes(-seen);
      signal.throwIfAborted();
      const delayMs = RETRY_AFTER_MS[failures];
      if (!isUnavailable(error) || delayMs === undefined) throw toFailure(error, move);
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

async function copyOnce(stores: CopyStores, move: BlobCopy, options: CopyOptions): Promise<ByteDigest> {
  const expected = await copyBytes(stores, move, options.signal);
  const copy = { objectKey: move.targetKey, size: move.size };
  const digest = await digestObject(copy, await stores.target.open(move.targetKey), options);
  if (digest.sha256 !== expected) throw otherBytes(move);
  return digest;
}

/** Gives the SHA-256 that the copy must have. */
async function copyBytes(
  { source, target }: CopyStores,
  move: BlobCopy,
  signal: AbortSignal,
): Promise<string> {
  const { sourceKey, targetKey, size, sha256 } = move;
  // Bytes that nobody has hashed have to pass us at least once before they are copied.
  if (sha256 !== null && (await target.copyFrom(source, sourceKey, targetKey, { signal }))) return sha256;
  const written = await target.write(targetKey, await source.open(sourceKey), { signal });
  if (written.size !== size) throw new LengthMismatch({ objectKey: sourceKey, size }, String(written.size));
  if (sha256 !== null && written.sha256 !== sha256) throw otherBytes(move);
  return written.sha256;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'unavailable';
}

function toFailure(error: unknown, { sourceKey }: BlobCopy): unknown {
  if (error instanceof LengthMismatch) return new Failure('rejected', error.message, { cause: error });
  if (!(error instanceof Failure && error.kind === 'not-found')) return error;
  return new Failure('rejected', `The bytes of the object ${sourceKey} are missing.`, { cause: error });
}

function otherBytes({ sourceKey }: BlobCopy): Failure {
  return new Failure('rejected', `The object ${sourceKey} has other bytes than were stored.`);
}
