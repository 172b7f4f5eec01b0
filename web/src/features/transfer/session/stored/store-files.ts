import type { TransferRecord } from '../../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { isPassing } from '../../../../api/is-passing.ts';
import { mapConcurrently } from '../../../../common/timing/map-concurrently.ts';
import { pause } from '../../../../common/timing/pause.ts';
import { contentAddress, piecesAddress } from '../sessions.ts';
import { pieceCalls } from './piece-calls.ts';
import { sendPieces } from './send-pieces.ts';
import { postWithProgress } from './send-with-progress.ts';
import type { UploadSource } from './upload-sources.ts';

const MAX_TRIES = 5;
/**
 * Three uploads use the full bandwidth, and leave the browser's other connections for the page's requests.
 */
const MAX_CONCURRENT = 3;

/** Called with the stored part of a file, from 0 to 1. */
type OnPart = (part: number) => void;

/**
 * Uploads the files of an OFFLINE session.
 * @param onPart called with the index of a file and its stored part, from 0 to 1
 * @throws HoldallError; TransferFault
 */
export async function storeFiles(
  session: TransferRecord,
  sources: readonly UploadSource[],
  onPart: (file: number, part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // The first error also ends the other uploads.
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  await mapConcurrently(session.files, MAX_CONCURRENT, async ({ id }, index) => {
    const source = sources[index];
    if (source === undefined) return;
    try {
      await storeFile(session.sessionId, id, source, (part) => onPart(index, part), either);
    } catch (error) {
      failure.abort();
      throw error;
    } finally {
      if (!(source instanceof File)) source.close();
    }
  });
}

async function storeFile(
  sessionId: string,
  fileId: string,
  source: UploadSource,
  onPart: OnPart,
  signal: AbortSignal,
): Promise<void> {
  const onBytes = (bytes: number) => onPart(Math.min(1, bytes / Math.max(1, source.size)));
  if (source instanceof File) {
    await storeWhole(contentAddress(sessionId, fileId), source, onBytes, signal);
  } else if (source.size <= source.pieceBytes) {
    await storeWhole(contentAddress(sessionId, fileId), await source.makePiece(0), onBytes, signal);
  } else {
    const calls = pieceCalls(piecesAddress(sessionId, fileId), signal);
    await sendPieces(source, calls, { onBytes, signal });
  }
  onPart(1);
}

/** Sends all bytes in one request, and starts again from the first byte after an interruption. */
async function storeWhole(
  address: string,
  bytes: Blob,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postWithProgress(address, bytes, onBytes, signal);
    } catch (error) {
      if (signal.aborted || attempt === MAX_TRIES || !isPassing(error)) throw error;
      const seconds = (error instanceof HoldallError && error.retryAfterSeconds) || attempt;
      await pause(seconds * 1_000, signal);
    }
  }
}
