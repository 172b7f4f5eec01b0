import { RECORD_BYTES, type RecordRun, readTags, recordCountOf } from './records.ts';

/** The number of records that are read and sealed at once. */
const RUN_RECORDS = 32;
/** The number of runs that are read and sealed ahead of the consumer. */
const RUNS_AHEAD = 3;

/**
 * The tags of each sealed run of a file, by its first record. A nonce belongs to a position in the file.
 * Sealing other bytes at the same position would use the nonce a second time, and both could then be read.
 * Not every browser notices if a file changed after it was chosen. Different bytes have different tags, so no
 * hash is needed to detect that.
 */
export type SealedRuns = Map<number, Uint8Array>;

/**
 * Stores the tags of a sealed run. Only after this may the run be sent.
 * @throws Error if other bytes were sealed at its position before
 */
export function recordTags(runs: SealedRuns, first: number, tags: Uint8Array): void {
  if (!areEqual(runs.get(first) ?? tags, tags)) throw new Error('The file changed.');
  runs.set(first, tags);
}

/** Seals the records of one file. */
export interface FileCipher {
  /** Takes ownership of the bytes: the caller must not use them afterwards. */
  seal(bytes: Uint8Array<ArrayBuffer>, run: RecordRun): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** The part of `Blob` that is used here. */
type ReadableContent = Pick<Blob, 'size'> & {
  slice(start: number, end: number): Pick<Blob, 'arrayBuffer'>;
};

/** Reads and seals a file in runs of records. Runs may be requested in any order, and repeatedly. */
class FileSealer {
  readonly #file: ReadableContent;
  readonly #cipher: FileCipher;
  readonly #runs: SealedRuns;
  readonly #recordCount: number;

  /**
   * @param cipher a cipher with the key of the file
   * @param runs the runs sealed with this key so far; updated here
   */
  constructor(file: ReadableContent, cipher: FileCipher, runs: SealedRuns) {
    this.#file = file;
    this.#cipher = cipher;
    this.#runs = runs;
    this.#recordCount = recordCountOf(file.size);
  }

  get runCount(): number {
    return Math.ceil(this.#recordCount / RUN_RECORDS);
  }

  /** @throws if the file changed or was deleted */
  async sealRun(index: number): Promise<Uint8Array<ArrayBuffer>> {
    const { size } = this.#file;
    const first = index * RUN_RECORDS;
    const end = first + RUN_RECORDS;
    const part = await this.#file.slice(first * RECORD_BYTES, end * RECORD_BYTES).arrayBuffer();
    const isEnd = end >= this.#recordCount;
    const left = isEnd ? size - first * RECORD_BYTES : RUN_RECORDS * RECORD_BYTES;
    if (part.byteLength !== left) throw new Error('The file became shorter.');
    const sealed = await this.#cipher.seal(new Uint8Array(part), { first, isEnd });
    recordTags(this.#runs, first, readTags(sealed));
    return sealed;
  }
}

/**
 * Yields the ciphertext of a file as it is read. Never more than a few runs are in memory.
 * @param cipher a cipher with the key of the file; closed at the end
 * @param runs the runs sealed with this key so far; updated here
 * @throws if the file changed or was deleted
 */
export async function* sealFile(
  file: ReadableContent,
  cipher: FileCipher,
  runs: SealedRuns,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sealer = new FileSealer(file, cipher, runs);
  const running: Promise<Uint8Array<ArrayBuffer>>[] = [];
  let next = 0;
  const start = () => {
    for (; running.length < 1 + RUNS_AHEAD && next < sealer.runCount; next += 1) {
      const sealing = sealer.sealRun(next);
      // The error is handled when the promise is awaited, if that still happens.
      sealing.catch(() => undefined);
      running.push(sealing);
    }
  };
  try {
    for (start(); running.length > 0; start()) {
      const sealed = await running.shift();
      start();
      if (sealed !== undefined) yield sealed;
    }
  } finally {
    cipher.close();
  }
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
