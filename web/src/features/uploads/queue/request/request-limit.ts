import type { SessionRecord } from '../../../../../../client/src/client.ts';
import { SMALL_BYTES } from './send-file.ts';

/** The maximum on any connection, because an interrupted request starts again from its first byte. */
const MAX_BYTES = 16 * 1024 ** 2;

/**
 * The maximum size of a file that is sent in one request. A session takes three requests, so it multiplies
 * the time for a photo over a fast connection. But a session can be resumed, which matters for slow uploads.
 */
export class RequestLimit {
  #isDirect = false;

  /** Records whether the bytes of sessions go directly to a store instead of through the service. */
  noteMode(mode: SessionRecord['uploadMode']): void {
    this.#isDirect = mode !== 'PROXY';
  }

  /** @param bytesPerSecond the total speed of all uploads; undefined while unknown */
  maxBytes(bytesPerSecond: number | undefined): number {
    if (this.#isDirect || bytesPerSecond === undefined) return SMALL_BYTES;
    return Math.min(Math.max(bytesPerSecond, SMALL_BYTES), MAX_BYTES);
  }
}
