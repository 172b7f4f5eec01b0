import { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { isPassing } from '../../../../api/is-passing.ts';
import { pause } from '../../../../common/timing/pause.ts';
import type { MadeFile } from './upload-sources.ts';

/** Gives up after this many consecutive failures without progress. */
const MAX_FAILURES = 5;

/** The offset differs: another request has stored more than this page knows. */
const OFFSET_CONFLICT = 409;
/** The upload no longer exists, and must start over. */
const GONE = 410;
/** Another request for the same upload is still running. */
const LOCKED = 423;

/** The calls of the tus protocol (https://tus.io/protocols/resumable-upload) for one file. */
export interface PieceCalls {
  /** Begins an upload of `size` bytes. @returns its address */
  begin(size: number): Promise<string>;
  /** @param onBytes called with the bytes that were sent @returns the offset after them */
  append(upload: string, offset: number, bytes: Blob, onBytes: (bytes: number) => void): Promise<number>;
  findOffset(upload: string): Promise<number>;
}

interface SendPiecesOptions {
  /** Called with the bytes of the file that were sent. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
  /** Waits before the next attempt; tests pass one that does not wait. */
  readonly wait?: typeof pause;
}

/**
 * Sends a file piece by piece. After an interruption it continues at the offset that the service reports.
 * @throws HoldallError; TransferFault; the reason of the signal
 */
export async function sendPieces(
  file: MadeFile,
  calls: PieceCalls,
  { onBytes, signal, wait = pause }: SendPiecesOptions,
): Promise<void> {
  const ahead = new PiecesAhead(file);
  let upload: string | undefined;
  let offset: number | undefined;
  let reached = 0;
  for (let failures = 0; offset !== file.size; ) {
    try {
      if (upload === undefined) {
        ahead.begin();
        upload = await calls.begin(file.size);
        offset = 0;
      }
      offset ??= await calls.findOffset(upload);
      while (offset < file.size) {
        const start = offset;
        const piece = await ahead.from(start);
        signal.throwIfAborted();
        offset = await calls.append(upload, start, piece, (bytes) => onBytes(start + bytes));
        failures = 0;
        reached = offset;
      }
    } catch (error) {
      signal.throwIfAborted();
      failures = offset !== undefined && offset > reached ? 1 : failures + 1;
      if (!mayContinue(error) || failures === MAX_FAILURES) throw error;
      reached = Math.max(reached, offset ?? 0);
      offset = undefined;
      if (error instanceof HoldallError && error.status === GONE) upload = undefined;
      await wait(((error instanceof HoldallError && error.retryAfterSeconds) || failures) * 1_000, signal);
    }
  }
}

function mayContinue(error: unknown): boolean {
  return (
    isPassing(error) ||
    (error instanceof HoldallError && [OFFSET_CONFLICT, GONE, LOCKED, 500].includes(error.status))
  );
}

/** Makes the next piece while the current one is sent. Only these two are in memory. */
class PiecesAhead {
  readonly #file: MadeFile;
  readonly #made = new Map<number, Promise<Blob>>();

  constructor(file: MadeFile) {
    this.#file = file;
  }

  /** Starts making the first piece while the upload is being created. */
  begin(): void {
    void this.#make(0);
  }

  /** Returns the rest of the piece that contains the offset. @throws TransferFault */
  async from(offset: number): Promise<Blob> {
    const { size, pieceBytes } = this.#file;
    const index = Math.floor(offset / pieceBytes);
    for (const kept of this.#made.keys()) {
      if (kept !== index && kept !== index + 1) this.#made.delete(kept);
    }
    const piece = await this.#make(index);
    if ((index + 1) * pieceBytes < size) void this.#make(index + 1);
    return piece.slice(offset - index * pieceBytes);
  }

  #make(index: number): Promise<Blob> {
    const made = this.#made.get(index) ?? this.#file.makePiece(index);
    // Prevents an unhandled rejection if no caller awaits the piece. A caller that awaits it still gets the
    // error.
    made.catch(() => undefined);
    this.#made.set(index, made);
    return made;
  }
}
