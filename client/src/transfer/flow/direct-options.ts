import type { Connect } from '../connection/peer-connection.ts';
import type { TransferEvent } from './transfer-event.ts';

/** The common options of sending and receiving directly. */
export interface DirectOptions {
  /**
   * Opens a connection: `(iceServers) => new RTCPeerConnection({ iceServers })` in a browser, `connectWith`
   * of `@holdall/client/node` in Node.js.
   */
  readonly connect: Connect;
  /** The name shown to the other side. */
  readonly name?: string | undefined;
  readonly onEvent?: ((event: TransferEvent) => void) | undefined;
  /** Called with the bytes of all files that have arrived. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /**
   * After this many milliseconds without a direct connection, the sender stores the files: 8,000 if absent.
   */
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The time limit in milliseconds for the last calls, which tell the service that the transfer is over. */
export const LAST_CALL_MS = 5_000;
