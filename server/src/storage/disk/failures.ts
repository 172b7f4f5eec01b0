import { Failure } from '../../base/failure.ts';

/** A full disk is emptied by a person, or by the next sweep; everything else may pass by itself. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FULL_RETRY_SECONDS = 30;
const RETRY_SECONDS = 5;

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The storage is full.'],
  ['EDQUOT', 'The storage is full.'],
  ['EFBIG', 'The storage cannot hold a file of this size.'],
  ['EROFS', 'The storage cannot be written.'],
  ['EACCES', 'The storage cannot be reached.'],
  ['EPERM', 'The storage cannot be reached.'],
  ['EIO', 'The storage does not answer.'],
  ['ESTALE', 'The storage does not answer.'],
  ['ETIMEDOUT', 'The storage does not answer.'],
  ['EMFILE', 'Too many files are open.'],
  ['ENFILE', 'Too many files are open.'],
]);

/** Faults of the disk become `unavailable`; everything else (a missing file, a fault of ours) stays as it is. */
export function toDiskFailure(error: NodeJS.ErrnoException): Error {
  const message = error.code === undefined ? undefined : MESSAGES.get(error.code);
  if (message === undefined) return error;
  const retryAfterSeconds = FULL.has(error.code ?? '') ? FULL_RETRY_SECONDS : RETRY_SECONDS;
  return new Failure('unavailable', message, { retryAfterSeconds, cause: error });
}

/** Whether the error says that there is no such file: `ENOTDIR` comes where a leading segment is a file. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
