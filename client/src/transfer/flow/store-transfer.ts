import { announce, type OutgoingFile } from './outgoing-file.ts';
import { storeFiles } from './store-files.ts';
import type { TransferCalls } from './transfer-calls.ts';
import type { TransferCode } from './transfer-event.ts';

export interface StoreOptions {
  /**
   * Whether to encrypt, so that the receiver also needs a secret. The library then sends a stream, which only
   * some browsers support, and only over HTTP/2.
   */
  readonly encrypt?: boolean | undefined;
  /** Called after each file, with the number of bytes that the service has. */
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
    // A transfer with a missing file is useless.
    await calls.end(session.sessionId).catch(() => undefined);
    throw error;
  }
  const { mode, pickupCode, expiresAt } = session;
  return { mode, pickupCode, secret: sealed?.secret, expiresAt };
}
