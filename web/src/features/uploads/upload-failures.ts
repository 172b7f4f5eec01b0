import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { isPassing } from '../../api/is-passing.ts';

/** The store rejected the bytes or was unreachable (status 0). */
export class StoreFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The store answers ${status}.`);
    this.name = 'StoreFailure';
    this.status = status;
  }
}

/** The file has changed since it was chosen. */
export class FileChanged extends Error {
  constructor(options: ErrorOptions = {}) {
    super('The file has changed or is gone.', options);
    this.name = 'FileChanged';
  }
}

/** The browser has a handle for the file, but needs the user's permission to read it. */
export class NotPermitted extends Error {
  constructor() {
    super('The file may not be read yet.');
    this.name = 'NotPermitted';
  }
}

/**
 * What to do about an error:
 * - `wait`: wait until it has passed, however long that takes;
 * - `try`: try a few more times, because it may be temporary;
 * - `stop`: give up, because trying again would not help.
 */
export function remedyFor(error: unknown): 'wait' | 'try' | 'stop' {
  if (isPassing(error)) return 'wait';
  if (error instanceof StoreFailure) return 'try';
  return error instanceof HoldallError && error.status === 500 ? 'try' : 'stop';
}
