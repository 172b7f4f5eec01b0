// The content of an encrypted file: records of 64 KiB, each sealed with AES-GCM. The nonce contains the
// number of the record, and whether it is the last one (STREAM). So a file that was shortened, extended or
// reordered cannot be opened.

export const RECORD_BYTES = 65_536;
const TAG_BYTES = 16;
const SEALED_RECORD_BYTES = RECORD_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;
const COUNTER_AT = 7;
const LAST_AT = 11;
/** The counter has four bytes. */
export const MAX_RECORDS = 2 ** 32;

/** The bytes do not open: the key is wrong, or they were changed. */
export class CannotOpen extends Error {
  constructor() {
    super('The bytes cannot be decrypted.');
    this.name = 'CannotOpen';
  }
}

/** A run of whole records of one file. */
export interface RecordRun {
  /** The number of its first record in the file, from 0. */
  readonly first: number;
  /** Whether its last record is the last one of the file. Only that one may be shorter than the others. */
  readonly isEnd: boolean;
}

/** The size of the sealed file, in bytes. */
export function sealedSizeOf(size: number): number {
  return size + TAG_BYTES * recordCountOf(size);
}

/** The number of records. An empty file has one, which is empty. */
export function recordCountOf(size: number): number {
  return Math.max(1, Math.ceil(size / RECORD_BYTES));
}

/** @throws RangeError if the bytes are not a run of records; an error of the browser */
export async function sealRecords(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  run: RecordRun,
): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = new Uint8Array(sealedSizeOf(bytes.length));
  const store = async (sealing: Promise<ArrayBuffer>, record: number) =>
    sealed.set(new Uint8Array(await sealing), record * SEALED_RECORD_BYTES);
  await Promise.all(startSealing(key, bytes, run).map(store));
  return sealed;
}

/**
 * Seals each record into separate memory, which saves the copy for joining them.
 * @throws as {@link sealRecords}
 */
export async function sealEachRecord(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  run: RecordRun,
): Promise<ArrayBuffer[]> {
  return await Promise.all(startSealing(key, bytes, run));
}

/** WebCrypto copies the bytes before this returns. */
function startSealing(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  run: RecordRun,
): Promise<ArrayBuffer>[] {
  const count = recordCountOf(bytes.length);
  checkRun(bytes.length, RECORD_BYTES, count, run);
  return Array.from({ length: count }, (_, record) => {
    const part = bytes.subarray(record * RECORD_BYTES, (record + 1) * RECORD_BYTES);
    return crypto.subtle.encrypt(cipherOf(run, record, count), key, part);
  });
}

/** @throws CannotOpen; RangeError if the bytes are not a run of records */
export async function openRecords(
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
  run: RecordRun,
): Promise<Uint8Array<ArrayBuffer>> {
  const count = Math.ceil(sealed.length / SEALED_RECORD_BYTES);
  const size = sealed.length - count * TAG_BYTES;
  if (count === 0 || size < 0 || sealedSizeOf(size) !== sealed.length) throw new CannotOpen();
  checkRun(size, RECORD_BYTES, count, run);
  const opened = new Uint8Array(size);
  await eachRecord(count, async (record) => {
    const part = sealed.subarray(record * SEALED_RECORD_BYTES, (record + 1) * SEALED_RECORD_BYTES);
    const result = await decrypt(cipherOf(run, record, count), key, part);
    opened.set(new Uint8Array(result), record * RECORD_BYTES);
  });
  return opened;
}

/** The authentication tags of a sealed run, concatenated. */
export function readTags(sealed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const count = Math.ceil(sealed.length / SEALED_RECORD_BYTES);
  return joinTags(
    Array.from({ length: count }, (_, record) =>
      sealed.subarray(record * SEALED_RECORD_BYTES, (record + 1) * SEALED_RECORD_BYTES),
    ),
  );
}

/** The authentication tags of sealed records, concatenated. */
export function joinTags(records: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const tags = new Uint8Array(records.length * TAG_BYTES);
  for (const [place, record] of records.entries()) tags.set(record.subarray(-TAG_BYTES), place * TAG_BYTES);
  return tags;
}

/** Runs the work for all records at once, so that the browser works on them in parallel. */
async function eachRecord(count: number, work: (record: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, record) => work(record)));
}

async function decrypt(
  cipher: AesGcmParams,
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<ArrayBuffer> {
  try {
    return await crypto.subtle.decrypt(cipher, key, sealed);
  } catch {
    throw new CannotOpen();
  }
}

function checkRun(size: number, unit: number, count: number, { first, isEnd }: RecordRun): void {
  const isWhole = isEnd || (size > 0 && size % unit === 0);
  if (!isWhole || first + count > MAX_RECORDS) throw new RangeError('These are not whole records.');
}

function cipherOf({ first, isEnd }: RecordRun, record: number, count: number): AesGcmParams {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setUint32(COUNTER_AT, first + record);
  nonce[LAST_AT] = isEnd && record === count - 1 ? 1 : 0;
  return { name: 'AES-GCM', iv: nonce };
}
