import { Failure } from '../../../base/failure.ts';

/** A full disk takes longer to recover: someone has to delete files. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FULL_RETRY_SECONDS = 30;
const RETRY_SECONDS = 5;

const FULL_MESSAGE = 'The disk of this service is full. Ask your administrator to make room.';

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', FULL_MESSAGE],
  ['EDQUOT', FULL_MESSAGE],
  ['EFBIG', 'The storage cannot store a file of this size.'],
  ['EROFS', 'The storage cannot be written.'],
  ['EACCES', 'The storage cannot be reached.'],
  ['EPERM', 'The storage cannot be reached.'],
  ['EIO', 'The storage does not respond.'],
  ['ESTALE', 'The storage does not respond.'],
  ['ETIMEDOUT', 'The storage does not respond.'],
  ['EMFILE', 'Too many files are open.'],
  ['ENFILE', 'Too many files are open.'],
]);

/**
 * Turns a disk error into a Failure: `over-limit` for a full disk, `unavailable` otherwise. Returns other
 * errors (a missing file, a bug) unchanged.
 */
export function toDiskFailure(error: NodeJS.ErrnoException): Error {
  const message = error.code === undefined ? undefined : MESSAGES.get(error.code);
  if (message === undefined) return error;
  const isFull = FULL.has(error.code ?? '');
  return new Failure(isFull ? 'over-limit' : 'unavailable', message, {
    retryAfterSeconds: isFull ? FULL_RETRY_SECONDS : RETRY_SECONDS,
    cause: error,
  });
}

/** Whether a Failure of {@link toDiskFailure} means that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Failure && [...FULL].some((code) => hasCode(error.cause, code));
}

/** Whether the error means that the file does not exist. `ENOTDIR`: a parent in the path is a file. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
