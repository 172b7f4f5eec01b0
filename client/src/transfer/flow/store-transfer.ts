import { announce, type OutgoingFile } from './outgoing-file.ts';
import { storeFiles } from './store-files.ts';
import type { TransferCalls } from './transfer-calls.ts';
import type { TransferCode } from './transfer-event.ts';

export interface StoreOptions {
  /**
   * Whether the receiver needs a secret too. This library sends a stream then, which
   * browsers do over HTTP/2 only, and not all of them.
   */
  readonly encrypt?: boolean | undefined;
  /** Called with the bytes that the service has, after each file. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores files on the service for seven days.
 * @throws HoldallError; TransferFault; the reason of the signal
 */
export async function storeTransfer(
  calls: TransferCalls,
  files: readonly OutgoingFile[],
  { encrypt = false, onProgress = () => undefined, signal = new AbortController().signal }: StoreOptions,
): Promise<TransferCode> {
  const { body, sealed } = await announce(files, encrypt);
  const session = await calls.create({ mode: 'OFFLINE', ...body }, { signal });
  try {
    await storeFiles({ calls, session, files, sealed, onBytes: onProgress, signal });
  } catch (error) {
    // A transfer with a missing file is of no use to anybody.
    await calls.end(session.sessionId).catch(() => undefined);
    throw error;
  }
  const { mode, pickupCode, expiresAt } = session;
  return { mode, pickupCode, secret: sealed?.secret, expiresAt };
}
