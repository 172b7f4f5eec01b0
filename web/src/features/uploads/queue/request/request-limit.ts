import type { SessionRecord } from '../../../../../../client/src/client.ts';
import { SMALL_BYTES } from './send-file.ts';

/** The maximum on any connection: a request that breaks starts again from its first byte. */
const MAX_BYTES = 16 * 1024 ** 2;

/**
 * The maximum size of a file that is sent in one request. A session takes three requests, so photos over a
 * fast connection take several times as long with it. But a session can be resumed, which matters for files
 * that take long.
 */
export class RequestLimit {
  #isDirect = false;

  /** Records whether the bytes of sessions go directly to a store instead of through the service. */
  noteMode(mode: SessionRecord['uploadMode']): void {
    this.#isDirect = mode !== 'PROXY';
  }

  /** @param bytesPerSecond the speed of all uploads together; undefined while it is not known */
  maxBytes(bytesPerSecond: number | undefined): number {
    if (this.#isDirect || bytesPerSecond === undefined) return SMALL_BYTES;
    return Math.min(Math.max(bytesPerSecond, SMALL_BYTES), MAX_BYTES);
  }
}
