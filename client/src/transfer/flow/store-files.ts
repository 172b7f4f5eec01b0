import { HoldallError } from '../../errors/errors.ts';
import type { TransferRecord } from '../../generated/records.ts';
import { backoffMs, wait } from '../../requests/waiting.ts';
import { TransferFault } from '../connection/line.ts';
import { sealRecords } from '../encryption/records.ts';
import { type FileCipher, type SealedRuns, sealFile } from '../encryption/seal-file.ts';
import type { SealedTransfer } from '../session/sealed-transfer.ts';
import type { OutgoingFile } from './outgoing-file.ts';
import type { TransferCalls } from './transfer-calls.ts';

const MAX_ATTEMPTS = 5;

interface StoringParts {
  readonly calls: TransferCalls;
  readonly session: TransferRecord;
  readonly files: readonly OutgoingFile[];
  /** Undefined if the files are not encrypted. */
  readonly sealed: SealedTransfer | undefined;
  /** Called with the number of content bytes that the service has stored. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads the files of an OFFLINE session, one after another, and encrypts them while they are sent.
 * @throws HoldallError; TransferFault `unreadable`; the reason of the signal
 */
export async function storeFiles(parts: StoringParts): Promise<void> {
  const { session, files, sealed, onBytes } = parts;
  let stored = 0;
  for (const [index, file] of files.entries()) {
    const { id } = session.files[index] ?? {};
    if (id === undefined) throw new TransferFault('unknown');
    const runs: SealedRuns = new Map();
    const key = await sealed?.keys.ofFile(index);
    const makeBody = () =>
      key === undefined ? plainBody(file.content) : sealedBody(file.content, key, runs);
    await storeFile(parts, id, makeBody);
    stored += file.content.size;
    onBytes(stored);
  }
}

interface Body {
  readonly body: Blob | ReadableStream<Uint8Array>;
  /** Finds out why the bytes could not be read; undefined if they could. */
  readonly findFault: () => Promise<TransferFault | undefined>;
}

async function storeFile(
  { calls, session, signal }: StoringParts,
  fileId: string,
  makeBody: () => Body,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { body, findFault } = makeBody();
    try {
      await calls.upload(session.sessionId, fileId, body, { signal });
      return;
    } catch (error) {
      signal.throwIfAborted();
      const fault = await findFault();
      if (fault !== undefined) throw fault;
      const mayRepeat = error instanceof HoldallError && error.isPassing;
      if (!mayRepeat || attempt === MAX_ATTEMPTS) throw error;
      await wait(backoffMs(attempt, error.retryAfterSeconds), signal);
    }
  }
}

/** A body of the unencrypted bytes. If the file on disk has changed, it can no longer be read. */
function plainBody(content: Blob): Body {
  const findFault = async () => {
    try {
      await content.slice(0, 1).arrayBuffer();
      return undefined;
    } catch (error) {
      return new TransferFault('unreadable', { cause: error });
    }
  };
  return { body: content, findFault };
}

/**
 * A body of the ciphertext, encrypted while it is sent. The file is encrypted again only if it is unchanged.
 */
function sealedBody(content: Blob, key: CryptoKey, runs: SealedRuns): Body {
  const cipher: FileCipher = {
    seal: (bytes, run) => sealRecords(key, bytes, run),
    close: () => undefined,
  };
  const chunks = sealFile(content, cipher, runs);
  let fault: TransferFault | undefined;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        fault = new TransferFault('unreadable', { cause: error });
        throw fault;
      }
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
  return { body, findFault: async () => fault };
}
