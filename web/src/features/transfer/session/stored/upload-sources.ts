// Where the bytes come from that the service stores: the file itself, or its ciphertext.

import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import type { TransferKeys } from '../../../../../../client/src/transfer/encryption/keys.ts';
import { sealedSizeOf } from '../../../../../../client/src/transfer/encryption/records.ts';
import { type SealedRuns, sealFile } from '../../../../../../client/src/transfer/encryption/seal-file.ts';
import { RecordCipher } from '../../encryption/record-cipher.ts';
import { openHiddenPlace } from '../../saving/places.ts';
import type { HiddenPlace } from '../../saving/save-place.ts';
import type { ReadableFile } from '../files/chosen-files.ts';

/** How far a file is, from 0 to 1. */
export type OnPart = (part: number) => void;

/** The bytes of one file as the service stores them. */
export interface UploadSource {
  /** Of the bytes that are sent. */
  readonly size: number;
  /** The bytes to send. May be called again after an interruption. @throws NoPlace; an error of the browser */
  prepare(onPart: OnPart, signal: AbortSignal): Promise<Blob>;
  /** The part of the progress that preparing is, from 0 to 1. */
  readonly preparation: number;
  /** The bytes as they are made; undefined if there is a file to send. */
  readonly stream?: () => AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Called when the file is stored, or the upload has ended. */
  release(): Promise<void>;
}

/** Files as they are. Those of the drive come from the service, which the browser sends back to it. */
export function plainSources(files: readonly ReadableFile[]): readonly UploadSource[] {
  const sizes = files.map(({ size }) => size);
  const { add } = new MadeFiles(sizes);
  return files.map((file, index) => {
    if (!(file instanceof File)) return add(index, () => readWhole(file));
    return { size: file.size, preparation: 0, prepare: async () => file, release: async () => undefined };
  });
}

/** Encrypts each file while it is sent. */
export function sealedSources(files: readonly ReadableFile[], keys: TransferKeys): readonly UploadSource[] {
  const { add } = new MadeFiles(files.map((file) => sealedSizeOf(file.size)));
  return files.map((file, index) => {
    const runs: SealedRuns = new Map();
    return add(index, async function* () {
      yield* readSealed(file, await keys.ofFile(index), runs);
    });
  });
}

/**
 * Files whose bytes are made while they are sent. Where the browser cannot send what it makes, they go to a place on
 * disk first: memory would not be large enough.
 */
class MadeFiles {
  readonly #sizes: readonly number[];
  #place: Promise<HiddenPlace> | undefined;

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
  }

  readonly add = (index: number, make: () => AsyncGenerator<Uint8Array<ArrayBuffer>>): UploadSource => {
    let kept: File | undefined;
    const size = this.#sizes[index] ?? 0;
    return {
      size,
      preparation: 0.5,
      stream: make,
      prepare: async (onPart, signal) => {
        this.#place ??= this.#open();
        kept ??= await writeInto(await this.#place, index, { bytes: make(), size, onPart, signal });
        return kept;
      },
      release: async () => {
        kept = undefined;
        await (await this.#place)?.remove(index);
      },
    };
  };

  #open(): Promise<HiddenPlace> {
    // No more than these are there at the same time, because a file is removed when it was sent.
    const mostBytes = this.#sizes
      .toSorted((one, other) => other - one)
      .slice(0, MAX_CONCURRENT)
      .reduce((sum, size) => sum + size, 0);
    return openHiddenPlace(
      this.#sizes.map((_, number) => [`file-${number}`]),
      mostBytes,
    );
  }
}

/** Three requests fill a line, and leave room for what the page asks besides. */
export const MAX_CONCURRENT = 3;
/** Of a file of the drive, read at once. */
const PART_BYTES = 4_194_304;

/** @throws TransferFault */
async function* readSealed(
  file: ReadableFile,
  key: CryptoKey,
  runs: SealedRuns,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* sealFile(file, new RecordCipher(key, file.size), runs);
  } catch (error) {
    throw new TransferFault('unreadable', { cause: error });
  }
}

/** @throws TransferFault */
async function* readWhole(file: ReadableFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < file.size; start += PART_BYTES) {
    const end = Math.min(file.size, start + PART_BYTES);
    const part = await file
      .slice(start, end)
      .arrayBuffer()
      .catch((error: unknown) => {
        throw new TransferFault('unreadable', { cause: error });
      });
    yield new Uint8Array(part);
  }
}

async function writeInto(
  place: HiddenPlace,
  index: number,
  of: {
    readonly bytes: AsyncGenerator<Uint8Array<ArrayBuffer>>;
    readonly size: number;
    readonly onPart: OnPart;
    readonly signal: AbortSignal;
  },
): Promise<File> {
  const sink = await place.begin(index);
  let done = 0;
  try {
    for await (const part of of.bytes) {
      of.signal.throwIfAborted();
      await sink.write(part);
      done += part.length;
      of.onPart(done / Math.max(1, of.size));
    }
  } catch (error) {
    await sink.abort().catch(() => undefined);
    throw error;
  }
  await sink.close();
  const kept = await place.find(index);
  if (kept === undefined) throw new Error('The file is gone.');
  return kept;
}
