// Where the bytes come from that the service stores: the file itself, or its ciphertext.

import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import type { TransferKeys } from '../../../../../../client/src/transfer/encryption/keys.ts';
import { sealedSizeOf } from '../../../../../../client/src/transfer/encryption/records.ts';
import {
  FileSealer,
  SEALED_RUN_BYTES,
  type SealedRuns,
} from '../../../../../../client/src/transfer/encryption/seal-file.ts';
import { RecordCipher } from '../../encryption/record-cipher.ts';
import type { ReadableFile } from '../files/chosen-files.ts';

/** The bytes of one file as the service stores them. */
export type UploadSource = File | MadeFile;

/** A file whose bytes are made in pieces while they are sent, so that only a few pieces are in memory. */
export interface MadeFile {
  /** Of the bytes that are sent. */
  readonly size: number;
  /** Of each piece but the last. */
  readonly pieceBytes: number;
  /** May be called again for the same piece, which then has the same bytes. @throws TransferFault */
  makePiece(index: number): Promise<Blob>;
  /** Called when the file is stored, or the upload has ended. */
  close(): void;
}

/** In one piece, of 2 MiB each. */
const PIECE_RUNS = 8;
/** Of a file of the drive. */
const PIECE_BYTES = 16_777_216;

/** Files as they are. Those of the drive come from the service, which the browser sends back to it. */
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
      return new Blob([await orUnreadable(file.slice(start, end).arrayBuffer())]);
    },
    close: () => undefined,
  };
}

/** The ciphertext of a file. */
class SealedFile implements MadeFile {
  readonly size: number;
  readonly pieceBytes = PIECE_RUNS * SEALED_RUN_BYTES;
  readonly #file: ReadableFile;
  readonly #findKey: () => Promise<CryptoKey>;
  readonly #runs: SealedRuns = new Map();
  #opened: Promise<{ readonly sealer: FileSealer; readonly cipher: RecordCipher }> | undefined;

  constructor(file: ReadableFile, findKey: () => Promise<CryptoKey>) {
    this.size = sealedSizeOf(file.size);
    this.#file = file;
    this.#findKey = findKey;
  }

  async makePiece(index: number): Promise<Blob> {
    this.#opened ??= this.#open();
    const { sealer } = await this.#opened;
    const first = index * PIECE_RUNS;
    const count = Math.min(PIECE_RUNS, sealer.runCount - first);
    const runs = Array.from({ length: count }, (_, run) => sealer.sealRun(first + run));
    return new Blob(await orUnreadable(Promise.all(runs)));
  }

  close(): void {
    void this.#opened?.then(({ cipher }) => cipher.close());
    this.#opened = undefined;
  }

  async #open() {
    const cipher = new RecordCipher(await this.#findKey(), this.#file.size);
    return { sealer: new FileSealer(this.#file, cipher, this.#runs), cipher };
  }
}

/** @throws TransferFault */
async function orUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new TransferFault('unreadable', { cause: error });
  }
}
