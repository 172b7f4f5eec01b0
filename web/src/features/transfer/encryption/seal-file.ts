import { RecordCipher } from './record-cipher.ts';
import { RECORD_BYTES, recordCountOf } from './records.ts';

/** Read and sealed at once, in records. */
const RUN_RECORDS = 32;

/**
 * The ciphertext of a file, as it is read. One run is sealed while the one before it is consumed; no more of
 * the file is ever in memory.
 * @throws an error of the browser if the file changed or was deleted
 */
export async function* sealFile(file: Blob, key: CryptoKey): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const cipher = new RecordCipher(key, file.size);
  const count = recordCountOf(file.size);
  const sealAt = async (first: number) => {
    const end = first + RUN_RECORDS;
    const part = await file.slice(first * RECORD_BYTES, end * RECORD_BYTES).arrayBuffer();
    const isEnd = end >= count;
    const left = isEnd ? file.size - first * RECORD_BYTES : RUN_RECORDS * RECORD_BYTES;
    if (part.byteLength !== left) throw new Error('The file became shorter.');
    return await cipher.seal(new Uint8Array(part), { first, isEnd });
  };
  try {
    let next = sealAt(0);
    for (let first = 0; first < count; first += RUN_RECORDS) {
      const sealed = await next;
      if (first + RUN_RECORDS < count) {
        next = sealAt(first + RUN_RECORDS);
        // It is handled when it is awaited, if it still is.
        next.catch(() => undefined);
      }
      yield sealed;
    }
  } finally {
    cipher.close();
  }
}
