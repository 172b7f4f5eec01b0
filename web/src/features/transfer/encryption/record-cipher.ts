import {
  CannotOpen,
  openRecords,
  type RecordRun,
} from '../../../../../client/src/transfer/encryption/records.ts';
import { type SealedPiece, sealPiece } from './seal-piece.ts';

/** For files below this size, starting a worker takes longer than it saves. */
const WORKER_BYTES = 8 * 1024 ** 2;

/** A task for the worker. */
type RecordWork = { readonly key: CryptoKey; readonly run: RecordRun } & (
  | { readonly kind: 'seal'; readonly content: Blob | ArrayBuffer }
  | { readonly kind: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
);

export type RecordRequest = RecordWork & { readonly id: number };

export type RecordAnswer = { readonly id: number } & (
  | { readonly piece: SealedPiece }
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly fault: string }
);

interface Waiting {
  readonly resolve: (answer: RecordAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Seals or opens the records of one file, in a worker if the file is large. The worker also reads the content
 * that it seals. The cipher takes over the passed bytes: the caller must not use them afterwards. Must be
 * closed.
 */
export class RecordCipher {
  readonly #key: CryptoKey;
  readonly #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** @param size of the file in bytes */
  constructor(key: CryptoKey, size: number) {
    this.#key = key;
    if (size < WORKER_BYTES || typeof Worker === 'undefined') return;
    this.#worker = new Worker(new URL('./record-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<RecordAnswer>) => this.#take(data);
    this.#worker.onmessageerror = () => this.#fail(new Error('The answer cannot be read.'));
    this.#worker.onerror = () => this.#fail(new Error('The worker failed.'));
  }

  /** @throws Error if the content cannot be read, or is not a run of records */
  async seal(content: Blob | ArrayBuffer, run: RecordRun): Promise<SealedPiece> {
    const key = this.#key;
    if (this.#worker === undefined) return await sealPiece(key, content, run);
    const taken = content instanceof Blob ? [] : [content];
    const answer = await this.#ask(this.#worker, { kind: 'seal', key, content, run }, taken);
    if ('piece' in answer) return answer.piece;
    throw new Error('The worker answered something else.');
  }

  /** @throws CannotOpen */
  async open(bytes: Uint8Array<ArrayBuffer>, run: RecordRun): Promise<Uint8Array<ArrayBuffer>> {
    const key = this.#key;
    if (this.#worker === undefined) return await openRecords(key, bytes, run);
    const answer = await this.#ask(this.#worker, { kind: 'open', key, bytes, run }, [bytes.buffer]);
    if ('bytes' in answer) return answer.bytes;
    throw new Error('The worker answered something else.');
  }

  close(): void {
    this.#worker?.terminate();
    this.#fail(new Error('The cipher is closed.'));
  }

  #ask(worker: Worker, work: RecordWork, taken: ArrayBuffer[]): Promise<RecordAnswer> {
    this.#lastId += 1;
    const request: RecordRequest = { ...work, id: this.#lastId };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      worker.postMessage(request, taken);
    });
  }

  #take(answer: RecordAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!('fault' in answer)) waiting?.resolve(answer);
    else waiting?.reject(answer.fault === 'cannot-open' ? new CannotOpen() : new Error(answer.fault));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
