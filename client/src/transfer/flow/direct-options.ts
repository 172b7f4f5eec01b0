import type { Connect } from '../connection/peer-connection.ts';
import type { TransferEvent } from './transfer-event.ts';

/** What sending and receiving directly have in common. */
export interface DirectOptions {
  /**
   * Opens a connection: `(iceServers) => new RTCPeerConnection({ iceServers })` in a browser, `connectWith`
   * of `@holdall/client/node` in Node.js.
   */
  readonly connect: Connect;
  /** The name that the other side is shown. */
  readonly name?: string | undefined;
  readonly onEvent?: ((event: TransferEvent) => void) | undefined;
  /** Called with the bytes of all files that have arrived. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /**
   * After this long without a direct connection, in milliseconds, the sender stores the files: 8,000 if
   * absent.
   */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds for the last calls, which tell the service that the transfer is over. */
export const LAST_CALL_MS = 5_000;
