import { Failure } from '../base/failure.ts';

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
  return message === undefined ? error : new Failure('unavailable', message, { cause: error });
}

/** Whether the error says that there is no such file: `ENOTDIR` comes where a leading segment is a file. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
