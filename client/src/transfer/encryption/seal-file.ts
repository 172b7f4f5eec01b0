import { RECORD_BYTES, type RecordRun, readTags, recordCountOf } from './records.ts';

/** Read and sealed at once, in records. */
const RUN_RECORDS = 32;
/** Runs that are read and sealed while the one before them is consumed. */
const RUNS_AHEAD = 3;

/**
 * The tags of each run of a file that was sealed, by its first record. A nonce belongs to a place in the
 * file, so that other bytes at the same place would be sealed with a nonce that was used: both could then be
 * read. Not every browser notices that a file changed after it was chosen. Other bytes have other tags, so no
 * hash is needed.
 */
export type SealedRuns = Map<number, Uint8Array>;

/**
 * Keeps the tags of a run that was sealed. It may be given to others only after that.
 * @throws Error if other bytes were sealed at its place before
 */
export function recordTags(runs: SealedRuns, first: number, tags: Uint8Array): void {
  if (!areEqual(runs.get(first) ?? tags, tags)) throw new Error('The file changed.');
  runs.set(first, tags);
}

/** Seals the records of one file. */
export interface FileCipher {
  /** Takes the bytes: the caller must not use them afterwards. */
  seal(bytes: Uint8Array<ArrayBuffer>, run: RecordRun): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** The part of `Blob` that is read. */
type ReadableContent = Pick<Blob, 'size'> & {
  slice(start: number, end: number): Pick<Blob, 'arrayBuffer'>;
};

/** Reads and seals a file in runs of records, which may be asked for in any order, and again. */
class FileSealer {
  readonly #file: ReadableContent;
  readonly #cipher: FileCipher;
  readonly #runs: SealedRuns;
  readonly #recordCount: number;

  /**
   * @param cipher with the key of the file
   * @param runs what was sealed with this key before, and is now
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
 * The ciphertext of a file, as it is read. No more of the file than a few runs is ever in memory.
 * @param cipher with the key of the file; closed at the end
 * @param runs what was sealed with this key before, and is now
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
      // It is handled when it is awaited, if it still is.
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
