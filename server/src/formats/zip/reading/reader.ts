// Reads untrusted archives. The entries are taken from the central directory, and all of them are validated
// before any content is read. One invalid entry makes the whole archive invalid.

import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { sortInTurns } from '../../../base/concurrency/sort-in-turns.ts';
import { Turns } from '../../../base/concurrency/turns.ts';
import { checkLayout, checkRatio } from './archive-checks.ts';
import { ZipFault } from './fault.ts';
import { type ListedEntry, toListed, type ZipArchive } from './listing.ts';
import { type ArchiveBytes, ByteWindows } from './windows.ts';

export interface ReadingLimits {
  readonly maxEntries: number;
  /** Maximum ratio of unpacked to packed bytes, for each entry and for the archive. */
  readonly maxRatio: number;
}

/**
 * Lists the entries of an archive, after validating everything that the central directory declares.
 * @throws ZipFault for bytes that are not an archive, and for a damaged, dangerous or unsupported archive
 * @throws the errors of `source`
 */
export async function readArchive(
  source: ArchiveBytes,
  limits: ReadingLimits,
  signal?: AbortSignal,
): Promise<ZipArchive> {
  const bytes = new ByteWindows(source, signal === undefined ? {} : { signal });
  const reader = new WindowReader(bytes);
  const zip = await reader.waitFor(openDirectory(reader, bytes.size));
  // The types declare this number as a boolean.
  const directoryOffset = Number(zip.readEntryCursor);
  if (zip.entryCount > limits.maxEntries) {
    throw new ZipFault(`The archive has more than ${limits.maxEntries.toLocaleString('en')} entries.`);
  }
  const listed: ListedEntry[] = [];
  const listing = zip.eachEntry();
  const turns = new Turns();
  for (;;) {
    if (turns.isOver()) await turns.next();
    const { done, value: entry } = await reader.waitFor(listing.next());
    if (done === true) break;
    signal?.throwIfAborted();
    listed.push(toListed(entry));
  }
  await checkEnd(bytes, Number(zip.readEntryCursor));
  checkRatio(listed, bytes.size, limits.maxRatio);
  const entries = await sortInTurns(listed, (one, other) => one.offset - other.offset);
  checkLayout(entries, directoryOffset);
  return { bytes, entries, directoryOffset };
}

async function openDirectory(reader: RandomAccessReader, size: number): Promise<ZipFile> {
  return await fromRandomAccessReaderPromise(reader, size, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  });
}

/**
 * Signatures that may follow the last header (APPNOTE, section 4.3.6). Another header would be an entry that
 * is not counted.
 */
const AFTER_HEADERS: readonly number[] = [0x0605_4b50, 0x0606_4b50, 0x0505_4b50];

async function checkEnd(bytes: ByteWindows, offset: number): Promise<void> {
  const signature = (await bytes.get(offset, 4)).readUInt32LE(0);
  if (!AFTER_HEADERS.includes(signature)) {
    throw new ZipFault('The archive is damaged: its directory does not end where it declares.');
  }
}

/** Lets yauzl read from the windows, and tells errors of yauzl from errors of reading. */
class WindowReader extends RandomAccessReader {
  readonly #bytes: ByteWindows;
  #readError: { readonly error: unknown } | undefined;

  constructor(bytes: ByteWindows) {
    super();
    this.#bytes = bytes;
  }

  /** Waits for a call of yauzl. @throws ZipFault for errors of yauzl; the errors of reading unchanged */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (this.#readError !== undefined) throw this.#readError.error;
      throw error instanceof Error ? toFault(error) : error;
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const present = this.#bytes.peek(position, length);
    if (present !== undefined) {
      present.copy(buffer, offset);
      callback(null);
      return;
    }
    this.#bytes.get(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error) => {
        this.#readError = { error };
        callback(error);
      },
    );
  }
}

/** Converts an error of yauzl. They can be told apart by their messages only. */
function toFault(error: Error): ZipFault {
  const { message } = error;
  if (/^End of central directory record/.test(message)) {
    return new ZipFault('This is not a ZIP archive, or the end of it is missing.', { cause: error });
  }
  if (/multi-disk/.test(message)) {
    return new ZipFault('The archive is one part of several; archives in parts are not supported.', {
      cause: error,
    });
  }
  if (/encryption/.test(message)) return new ZipFault('The archive is encrypted.', { cause: error });
  return new ZipFault(`The archive is damaged: ${message}.`, { cause: error });
}
