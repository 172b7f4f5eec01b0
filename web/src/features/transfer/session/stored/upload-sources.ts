// Where the bytes that the service stores come from: the file itself, or its ciphertext.

import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import type { TransferKeys } from '../../../../../../client/src/transfer/encryption/keys.ts';
import {
  RECORD_BYTES,
  recordCountOf,
  sealedSizeOf,
} from '../../../../../../client/src/transfer/encryption/records.ts';
import { recordTags, type SealedRuns } from '../../../../../../client/src/transfer/encryption/seal-file.ts';
import { RecordCipher } from '../../encryption/record-cipher.ts';
import type { ReadableFile } from '../files/chosen-files.ts';

/** The bytes of one file as the service stores them. */
export type UploadSource = File | MadeFile;

/** A file whose pieces are made while it is sent, so that only a few are in memory. */
export interface MadeFile {
  /** The number of bytes that are sent. */
  readonly size: number;
  /** The size of each piece except the last. */
  readonly pieceBytes: number;
  /** Returns the same bytes when it is called again for the same piece. @throws TransferFault */
  makePiece(index: number): Promise<Blob>;
  /** Called once the file is stored or its upload has failed. */
  close(): void;
}

/** The size of each piece before encryption. */
const PIECE_BYTES = 16_777_216;
const PIECE_RECORDS = PIECE_BYTES / RECORD_BYTES;

/** Sends files unencrypted. The page downloads files of the drive in pieces and uploads them again. */
export function plainSources(files: readonly ReadableFile[]): readonly UploadSource[] {
  return files.map((file) => (file instanceof File ? file : readInPieces(file)));
}

/** Encrypts each file while it is sent. */
export function sealedSources(files: readonly ReadableFile[], keys: TransferKeys): readonly MadeFile[] {
  return files.map((file, index) => new SealedFile(file, () => keys.ofFile(index)));
}

function readInPieces(file: ReadableFile): MadeFile {
  return {
    size: file.size,
    pieceBytes: PIECE_BYTES,
    makePiece: async (index) => {
      const start = index * PIECE_BYTES;
      const end = Math.min(file.size, start + PIECE_BYTES);
      return new Blob([await asUnreadable(file.slice(start, end).arrayBuffer())]);
    },
    close: () => undefined,
  };
}

/** The ciphertext of a file. */
class SealedFile implements MadeFile {
  readonly size: number;
  readonly pieceBytes = sealedSizeOf(PIECE_BYTES);
  readonly #file: ReadableFile;
  readonly #findKey: () => Promise<CryptoKey>;
  readonly #runs: SealedRuns = new Map();
  #cipher: Promise<RecordCipher> | undefined;

  constructor(file: ReadableFile, findKey: () => Promise<CryptoKey>) {
    this.size = sealedSizeOf(file.size);
    this.#file = file;
    this.#findKey = findKey;
  }

  async makePiece(index: number): Promise<Blob> {
    this.#cipher ??= this.#open();
    return await asUnreadable(this.#seal(await this.#cipher, index));
  }

  close(): void {
    void this.#cipher?.then((cipher) => cipher.close());
    this.#cipher = undefined;
  }

  async #open(): Promise<RecordCipher> {
    return new RecordCipher(await this.#findKey(), this.#file.size);
  }

  async #seal(cipher: RecordCipher, index: number): Promise<Blob> {
    const { size } = this.#file;
    const start = index * PIECE_BYTES;
    const end = Math.min(size, start + PIECE_BYTES);
    const first = index * PIECE_RECORDS;
    const isEnd = first + PIECE_RECORDS >= recordCountOf(size);
    const content = this.#file.slice(start, end);
    // The worker can read a `Blob`, but only the page can read a file of the drive.
    const readable = content instanceof Blob ? content : await content.arrayBuffer();
    const { bytes, tags } = await cipher.seal(readable, { first, isEnd });
    if (bytes.size !== sealedSizeOf(end - start)) throw new Error('The file became shorter.');
    recordTags(this.#runs, first, tags);
    return bytes;
  }
}

/** @throws TransferFault */
async function asUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new TransferFault('unreadable', { cause: error });
  }
}
