import {
  CannotOpen,
  openRecords,
  type RecordRun,
  sealRecords,
} from '../../../../../client/src/transfer/encryption/records.ts';

/** Below this size, a worker costs more than it saves. */
const WORKER_BYTES = 8 * 1024 ** 2;

export interface RecordRequest {
  readonly id: number;
  readonly work: 'seal' | 'open';
  readonly key: CryptoKey;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly run: RecordRun;
}

export type RecordAnswer =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly fault: string };

interface Waiting {
  readonly resolve: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Seals or opens the records of one file, in a worker if the file is large. It takes over the bytes that are
 * passed: the caller must not use them afterwards. Must be closed.
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

  /** @throws RangeError for bytes that are no run of records */
  seal(bytes: Uint8Array<ArrayBuffer>, run: RecordRun): Promise<Uint8Array<ArrayBuffer>> {
    return this.#worker === undefined ? sealRecords(this.#key, bytes, run) : this.#ask('seal', bytes, run);
  }

  /** @throws CannotOpen */
  open(bytes: Uint8Array<ArrayBuffer>, run: RecordRun): Promise<Uint8Array<ArrayBuffer>> {
    return this.#worker === undefined ? openRecords(this.#key, bytes, run) : this.#ask('open', bytes, run);
  }

  close(): void {
    this.#worker?.terminate();
    this.#fail(new Error('The cipher is closed.'));
  }

  #ask(
    work: RecordRequest['work'],
    bytes: Uint8Array<ArrayBuffer>,
    run: RecordRun,
  ): Promise<Uint8Array<ArrayBuffer>> {
    this.#lastId += 1;
    const request: RecordRequest = { id: this.#lastId, work, key: this.#key, bytes, run };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker?.postMessage(request, [bytes.buffer]);
    });
  }

  #take(answer: RecordAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('bytes' in answer) waiting?.resolve(answer.bytes);
    else waiting?.reject(answer.fault === 'cannot-open' ? new CannotOpen() : new Error(answer.fault));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
