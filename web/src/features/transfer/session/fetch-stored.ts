import { ApiError, isPassing } from '../../../api/api-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';
import type { TransferRecord } from '../../../api/contract.ts';
import { pause } from '../../../common/pause.ts';
import type { Incoming } from '../blocks/incoming.ts';
import { TransferFault } from '../connection/line.ts';
import { downloadAddress } from './sessions.ts';

const MOST_TRIES = 6;

/**
 * Downloads what is missing from the service, and resumes from the last complete block when a request is
 * interrupted.
 * @throws ApiError; TransferFault
 */
export async function fetchStored(
  session: TransferRecord,
  incoming: Incoming,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !incoming.isWhole; ) {
    const before = incoming.step;
    try {
      await fetchFile(session, incoming, signal);
      failures = 0;
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500 && !isPassing(error);
      if (signal.aborted || error instanceof TransferFault || isRefused) throw error;
      failures = incoming.step > before ? 1 : failures + 1;
      if (failures >= MOST_TRIES) throw error;
      await pause(failures * 1_000);
    }
  }
}

async function fetchFile(session: TransferRecord, incoming: Incoming, signal: AbortSignal): Promise<void> {
  const step = incoming.plan.at(incoming.step);
  const file = session.files[step.file];
  if (file === undefined) throw new TransferFault('damaged');
  if (step.kind === 'block') {
    const headers: Record<string, string> = step.start === 0 ? {} : { range: `bytes=${step.start}-` };
    const address = downloadAddress(session.sessionId, file.id);
    const response = await fetchAnswer('GET', address, { headers, signal });
    if (response.status !== (step.start === 0 ? 200 : 206) || response.body === null) {
      await response.body?.cancel();
      throw new ApiError(response.status, `HTTP ${response.status}`);
    }
    await writeBlocks(response.body.getReader(), incoming);
  }
  await incoming.endFile(undefined);
}

/** Splits the response into blocks, whatever the size of its chunks. */
async function writeBlocks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  incoming: Incoming,
): Promise<void> {
  let step = incoming.plan.at(incoming.step);
  let block = new Uint8Array(step.kind === 'block' ? step.length : 0);
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
        await incoming.writeBlock(block);
        step = incoming.plan.at(incoming.step);
        block = new Uint8Array(step.kind === 'block' ? step.length : 0);
        filled = 0;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // The connection ended early without an error.
  if (step.kind === 'block') throw new ApiError(0, 'The download broke off.');
}
