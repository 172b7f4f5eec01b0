import {
  joinTags,
  type RecordRun,
  sealEachRecord,
} from '../../../../../client/src/transfer/encryption/records.ts';

/** A sealed run of records of a file, ready to be sent. */
export interface SealedPiece {
  readonly bytes: Blob;
  /** The concatenated tags of its records. */
  readonly tags: Uint8Array<ArrayBuffer>;
}

/**
 * Reads and seals a run of records. The content is read in one go, because many small reads take much more
 * processor time. Its memory is freed immediately; otherwise each piece would take new memory.
 * @param content of the file; a buffer is emptied
 * @throws Error if it cannot be read; RangeError if it is not a run of records
 */
export async function sealPiece(
  key: CryptoKey,
  content: Blob | ArrayBuffer,
  run: RecordRun,
): Promise<SealedPiece> {
  const buffer = content instanceof Blob ? await content.arrayBuffer() : content;
  const sealing = sealEachRecord(key, new Uint8Array(buffer), run);
  freeMemory(buffer);
  const records = await sealing;
  const tags = joinTags(records.map((record) => new Uint8Array(record)));
  const bytes = new Blob(records);
  records.forEach(freeMemory);
  return { bytes, tags };
}

/** Browsers that do not support this free the memory later. */
function freeMemory(buffer: Partial<Pick<ArrayBuffer, 'transfer'>>): void {
  buffer.transfer?.(0);
}
