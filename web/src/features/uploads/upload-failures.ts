import { ApiError, isPassing } from '../../api/api-error.ts';

/** The store did not take what it was sent, or could not be reached (status 0). */
export class StoreFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The store answers ${status}.`);
    this.name = 'StoreFailure';
    this.status = status;
  }
}

/** The file is not any more what it was when it was picked. */
export class FileChanged extends Error {
  constructor(options: ErrorOptions = {}) {
    super('The file has changed or is gone.', options);
    this.name = 'FileChanged';
  }
}

/** The browser remembers the file, and wants to hear from the person that the page may read it. */
export class NotPermitted extends Error {
  constructor() {
    super('The file may not be read yet.');
    this.name = 'NotPermitted';
  }
}

/**
 * What to do about what went wrong:
 * - `wait` until it has passed, however long it takes;
 * - `try` some more times, it may be by chance;
 * - `stop`: it will not get better by itself.
 */
export function remedyFor(error: unknown): 'wait' | 'try' | 'stop' {
  if (isPassing(error)) return 'wait';
  if (error instanceof StoreFailure) return 'try';
  return error instanceof ApiError && error.status === 500 ? 'try' : 'stop';
}
