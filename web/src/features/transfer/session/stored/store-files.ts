import { ApiError, isPassing } from '../../../../api/api-error.ts';
import type { TransferRecord } from '../../../../api/contract.ts';
import { mapConcurrently } from '../../../../common/timing/map-concurrently.ts';
import { pause } from '../../../../common/timing/pause.ts';
import { contentAddress } from '../sessions.ts';
import { postWithProgress } from './post-with-progress.ts';
import { canSendStreams, postStream } from './send-stream.ts';
import { MAX_CONCURRENT, type OnPart, type UploadSource } from './upload-sources.ts';

const MAX_TRIES = 5;

/**
 * Puts the files of an OFFLINE session into the service.
 * @param onPart told which part of which file is there, from 0 to 1
 * @throws ApiError; TransferFault; NoPlace
 */
export async function storeFiles(
  session: TransferRecord,
  sources: readonly UploadSource[],
  onPart: (file: number, part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // The first error ends the other uploads too.
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  await mapConcurrently(session.files, MAX_CONCURRENT, async ({ id }, index) => {
    const source = sources[index];
    if (source === undefined) return;
    try {
      const address = contentAddress(session.sessionId, id);
      await storeFile(address, source, (part) => onPart(index, part), either);
    } catch (error) {
      failure.abort();
      throw error;
    } finally {
      await source.release();
    }
  });
}

async function storeFile(
  address: string,
  source: UploadSource,
  onPart: OnPart,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // What is between this browser and the service may not let streams pass, so they are tried once.
      if (attempt === 1 && source.stream !== undefined && canSendStreams()) {
        await postStream(address, source.stream(), (bytes) => onPart(bytes / source.size), signal);
      } else {
        const { preparation } = source;
        const file = await source.prepare((part) => onPart(part * preparation), signal);
        const onSent = (bytes: number) =>
          onPart(preparation + (1 - preparation) * Math.min(1, bytes / Math.max(1, file.size)));
        await postWithProgress(address, file, onSent, signal);
      }
      onPart(1);
      return;
    } catch (error) {
      if (signal.aborted || attempt === MAX_TRIES || !isPassing(error)) throw error;
      const seconds = (error instanceof ApiError && error.retryAfter) || attempt;
      await pause(seconds * 1_000, signal);
    }
  }
}
