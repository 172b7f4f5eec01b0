import {
  joinTags,
  type RecordRun,
  sealEachRecord,
} from '../../../../../client/src/transfer/encryption/records.ts';

/** A run of records of a file, as it is sent. */
export interface SealedPiece {
  readonly bytes: Blob;
  /** The tags of its records, one behind the other. */
  readonly tags: Uint8Array<ArrayBuffer>;
}

/**
 * Reads and seals a run of records. The content is read at once, because many small reads of a file take a
 * browser much more processor time, and its memory is freed at once: otherwise each piece gets new memory.
 * @param content of the file; a buffer is emptied
 * @throws Error if it cannot be read; RangeError if it is no run of records
 */
export async function sealPiece(
  key: CryptoKey,
  content: Blob | ArrayBuffer,
  run: RecordRun,
): Promise<SealedPiece> {
  const buffer = content instanceof Blob ? await content.arrayBuffer() : content;
  const sealing = sealEachRecord(key, new Uint8Array(buffer), run);
  free(buffer);
  const records = await sealing;
  const tags = joinTags(records.map((record) => new Uint8Array(record)));
  const bytes = new Blob(records);
  records.forEach(free);
  return { bytes, tags };
}

/** Not every browser can; the others do it later. */
function free(buffer: Partial<Pick<ArrayBuffer, 'transfer'>>): void {
  buffer.transfer?.(0);
}
