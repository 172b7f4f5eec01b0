import { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import type { Incoming } from '../../../../../../client/src/transfer/blocks/incoming.ts';
import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import {
  CannotOpen,
  RECORD_BYTES,
  sealedSizeOf,
} from '../../../../../../client/src/transfer/encryption/records.ts';
import type { OpenedTransfer } from '../../../../../../client/src/transfer/session/opened-transfer.ts';
import { fetchAnswer } from '../../../../api/ask.ts';
import { isPassing } from '../../../../api/is-passing.ts';
import { pause } from '../../../../common/timing/pause.ts';
import { RecordCipher } from '../../encryption/record-cipher.ts';
import { downloadAddress } from '../sessions.ts';

const MAX_TRIES = 6;

/**
 * Downloads and decrypts the missing blocks. If a request is interrupted, it resumes after the last complete
 * block.
 * @throws HoldallError; TransferFault
 */
export async function fetchStored(
  opened: OpenedTransfer,
  incoming: Incoming,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !incoming.isWhole; ) {
    const before = incoming.step;
    try {
      await fetchFile(opened, incoming, signal);
      failures = 0;
    } catch (error) {
      if (error instanceof CannotOpen) throw new TransferFault('altered', { cause: error });
      const isRefused = error instanceof HoldallError && error.status < 500 && !isPassing(error);
      if (signal.aborted || error instanceof TransferFault || isRefused) throw error;
      failures = incoming.step > before ? 1 : failures + 1;
      if (failures >= MAX_TRIES) throw error;
      await pause(failures * 1_000);
    }
  }
}

async function fetchFile(
  { session, encryption }: OpenedTransfer,
  incoming: Incoming,
  signal: AbortSignal,
): Promise<void> {
  const step = incoming.plan.at(incoming.step);
  const file = session.files[step.file];
  if (file === undefined) throw new TransferFault('damaged');
  const address = downloadAddress(session.sessionId, file.id);
  if (encryption === undefined) {
    if (step.kind === 'block') await writeBlocks(await startAt(address, step.start, signal), incoming);
  } else {
    const cipher = new RecordCipher(await encryption.keyOf(file.id), file.size);
    try {
      if (step.kind === 'block') {
        const start = step.start === 0 ? 0 : sealedSizeOf(step.start);
        await writeBlocks(await startAt(address, start, signal), incoming, cipher);
      } else if (file.size === 0) {
        await checkEmpty(await startAt(address, 0, signal), cipher);
      }
    } finally {
      cipher.close();
    }
  }
  await incoming.endFile(undefined);
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

async function startAt(address: string, start: number, signal: AbortSignal): Promise<Reader> {
  const headers: Record<string, string> = start === 0 ? {} : { range: `bytes=${start}-` };
  const response = await fetchAnswer(address, { headers, signal });
  if (response.status !== (start === 0 ? 200 : 206) || response.body === null) {
    await response.body?.cancel();
    throw errorOf(response.status, `HTTP ${response.status}`);
  }
  return response.body.getReader();
}

/**
 * Splits the response into blocks, whatever the size of its chunks.
 * @param cipher decrypts the blocks, if the transfer is encrypted: each block is a run of records
 */
async function writeBlocks(reader: Reader, incoming: Incoming, cipher?: RecordCipher): Promise<void> {
  const next = () => {
    const step = incoming.plan.at(incoming.step);
    if (step.kind === 'end') return { step, block: new Uint8Array(0) };
    const size = cipher === undefined ? step.length : sealedSizeOf(step.length);
    return { step, block: new Uint8Array(size) };
  };
  let { step, block } = next();
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let at = 0; at < value.length; ) {
        if (step.kind === 'end') throw new TransferFault('damaged');
        const part = value.subarray(at, at + block.length - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < block.length) continue;
        if (cipher !== undefined) {
          const size = incoming.plan.sizes[step.file] ?? 0;
          const run = { first: step.start / RECORD_BYTES, isEnd: step.start + step.length === size };
          block = await cipher.open(block, run);
        }
        await incoming.writeBlock(block);
        ({ step, block } = next());
        filled = 0;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // The connection ended early without an error.
  if (step.kind === 'block') throw errorOf(0, 'The download broke off.');
}

/** An empty file has one sealed record, which proves that it is empty. @throws CannotOpen */
async function checkEmpty(reader: Reader, cipher: RecordCipher): Promise<void> {
  const record = new Uint8Array(sealedSizeOf(0));
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (filled + value.length > record.length) throw new TransferFault('damaged');
      record.set(value, filled);
      filled += value.length;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (filled < record.length) throw errorOf(0, 'The download broke off.');
  await cipher.open(record, { first: 0, isEnd: true });
}
