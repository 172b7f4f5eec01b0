import { Failure, type FailureKind, isDefiniteFailure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Drive } from '../../drive/drive.ts';
import type { Drives } from '../../drives/drives.ts';
import { ZipFault } from '../../formats/zip/reading/fault.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Attempt, type FailureCategory, JobFailure } from '../engine/job.ts';

// What ARCHIVE and EXTRACT jobs have in common.

export interface ZipJobParts {
  readonly drives: Drives;
  readonly drive: Drive;
  readonly blobs: Blobs;
}

/**
 * Limits depend on the drive's current content. Only a path that no drive could store is the archive's fault.
 */
const CATEGORIES: Partial<Readonly<Record<FailureKind, FailureCategory>>> = {
  conflict: 'DATA_STATE',
  'not-found': 'DATA_STATE',
  'over-limit': 'DATA_STATE',
  invalid: 'UNSUPPORTED_INPUT',
};

/**
 * Runs the work of a task.
 *
 * @throws JobFailure if an entry is gone, the archive is unsupported, or the drive rejects the result
 * @throws the reason of the signal if the attempt was aborted; otherwise what the work throws
 */
export async function runZipJob(attempt: Attempt, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    attempt.signal.throwIfAborted();
    throw toJobFailure(error);
  }
}

/**
 * Commits the result. If the transaction has definitely failed, the stored objects are removed immediately.
 */
export async function commitOrDiscard(
  { blobs }: ZipJobParts,
  stored: readonly StoredBytes[],
  commit: () => Promise<void>,
): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (isDefiniteFailure(error)) await blobs.discard(stored);
    throw error;
  }
}

/**
 * Errors that say nothing about the archive or the drive stay unchanged, such as a lost attempt or an
 * unreachable store.
 */
function toJobFailure(error: unknown): unknown {
  if (error instanceof ZipFault) return new JobFailure('UNSUPPORTED_INPUT', error.message, { cause: error });
  const category = error instanceof Failure ? CATEGORIES[error.kind] : undefined;
  if (!(error instanceof Failure) || category === undefined) return error;
  return new JobFailure(category, error.message, { cause: error });
}
