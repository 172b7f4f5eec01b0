import type { SessionRecord } from '../../../../api/contract.ts';
import { SMALL_BYTES } from './send-file.ts';

/** Not more, whatever the connection: a request that breaks starts again from its first byte. */
const MAX_BYTES = 16 * 1024 ** 2;

/**
 * How large a file may be to be sent in one request. A session takes three requests, so photos over a fast
 * connection take several times as long with it. It can be resumed, which matters where a file takes long.
 */
export class RequestLimit {
  #isDirect = false;

  /** Files for a store of its own go there directly, and not through the service. */
  noteMode(mode: SessionRecord['uploadMode']): void {
    this.#isDirect = mode !== 'PROXY';
  }

  /** @param bytesPerSecond of all uploads together; undefined while it is not known */
  maxBytes(bytesPerSecond: number | undefined): number {
    if (this.#isDirect || bytesPerSecond === undefined) return SMALL_BYTES;
    return Math.min(Math.max(bytesPerSecond, SMALL_BYTES), MAX_BYTES);
  }
}
