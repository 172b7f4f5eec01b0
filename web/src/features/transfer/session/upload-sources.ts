// Where the bytes come from that the service stores: the file itself, or its ciphertext.

import { TransferFault } from '../connection/line.ts';
import type { TransferKeys } from '../encryption/keys.ts';
import { sealedSizeOf } from '../encryption/records.ts';
import { type SealedRuns, sealFile } from '../encryption/seal-file.ts';
import { openHiddenPlace } from '../saving/places.ts';
import type { HiddenPlace } from '../saving/save-place.ts';

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

export function plainSources(files: readonly File[]): readonly UploadSource[] {
  return files.map((file) => ({
    size: file.size,
    preparation: 0,
    prepare: async () => file,
    release: async () => undefined,
  }));
}

/**
 * Encrypts each file while it is sent. Where the browser cannot send what it makes, the ciphertext goes to a
 * place on disk first: memory would not be large enough.
 */
export function sealedSources(files: readonly File[], keys: TransferKeys): readonly UploadSource[] {
  const sizes = files.map((file) => sealedSizeOf(file.size));
  // No more than these are there at the same time, because a file is removed when it was sent.
  const mostBytes = sizes
    .toSorted((one, other) => other - one)
    .slice(0, MAX_CONCURRENT)
    .reduce((sum, size) => sum + size, 0);
  let place: Promise<HiddenPlace> | undefined;
  return files.map((file, index) => {
    let kept: File | undefined;
    const runs: SealedRuns = new Map();
    const seal = async function* () {
      yield* readSealed(file, await keys.ofFile(index), runs);
    };
    return {
      size: sizes[index] ?? 0,
      preparation: 0.5,
      stream: seal,
      prepare: async (onPart, signal) => {
        place ??= openHiddenPlace(
          files.map((_, number) => [`file-${number}`]),
          mostBytes,
        );
        kept ??= await sealInto(await place, index, { sealed: seal(), size: file.size, onPart, signal });
        return kept;
      },
      release: async () => {
        kept = undefined;
        await (await place)?.remove(index);
      },
    };
  });
}

/** Three requests fill a line, and leave room for what the page asks besides. */
export const MAX_CONCURRENT = 3;

/** @throws TransferFault */
async function* readSealed(
  file: File,
  key: CryptoKey,
  runs: SealedRuns,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* sealFile(file, key, runs);
  } catch (error) {
    throw new TransferFault('unreadable', { cause: error });
  }
}

async function sealInto(
  place: HiddenPlace,
  index: number,
  of: {
    readonly sealed: AsyncGenerator<Uint8Array<ArrayBuffer>>;
    /** Of the file, in bytes. */
    readonly size: number;
    readonly onPart: OnPart;
    readonly signal: AbortSignal;
  },
): Promise<File> {
  const sink = await place.begin(index);
  let done = 0;
  try {
    for await (const sealed of of.sealed) {
      of.signal.throwIfAborted();
      await sink.write(sealed);
      done += sealed.length;
      of.onPart(done / sealedSizeOf(of.size));
    }
  } catch (error) {
    await sink.abort().catch(() => undefined);
    throw error;
  }
  await sink.close();
  const kept = await place.find(index);
  if (kept === undefined) throw new Error('The encrypted file is gone.');
  return kept;
}
