import { Failure } from '../../base/failure.ts';

/** A full disk takes longer to recover: an operator or the next sweep has to free space. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FULL_RETRY_SECONDS = 30;
const RETRY_SECONDS = 5;

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The storage is full.'],
  ['EDQUOT', 'The storage is full.'],
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
 * Turns a disk error into a Failure `unavailable`. Returns other errors (a missing file, a bug) as they are.
 */
export function toDiskFailure(error: NodeJS.ErrnoException): Error {
  const message = error.code === undefined ? undefined : MESSAGES.get(error.code);
  if (message === undefined) return error;
  const retryAfterSeconds = FULL.has(error.code ?? '') ? FULL_RETRY_SECONDS : RETRY_SECONDS;
  return new Failure('unavailable', message, { retryAfterSeconds, cause: error });
}

/** Whether the error means that the file does not exist. `ENOTDIR` means that a leading segment is a file. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
