// Reads archives that nobody can vouch for. What is in them is read from the central directory, all of it is
// looked at before a byte of content is, and whatever is not plainly right refuses the whole archive.

import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { ZipFault } from './fault.ts';
import { type ListedEntry, toListed, type ZipArchive } from './listing.ts';
import { checkLayout, checkRatio } from './soundness.ts';
import { type ArchiveBytes, ByteWindows } from './windows.ts';

export interface ReadingLimits {
  readonly maxEntries: number;
  /** How many bytes may come of one, in an entry and in all. */
  readonly maxRatio: number;
}

/**
 * The entries of an archive, checked as far as the central directory tells.
 * @throws ZipFault for what is no archive, not a sound one, or not one of ours to read; what the bytes throw
 */
export async function readArchive(
  source: ArchiveBytes,
  limits: ReadingLimits,
  signal?: AbortSignal,
): Promise<ZipArchive> {
  const bytes = new ByteWindows(source, signal === undefined ? {} : { signal });
  const reader = new WindowReader(bytes);
  const zip = await reader.during(openDirectory(reader, bytes.size));
  // Its types take the number for a boolean.
  const directoryOffset = Number(zip.readEntryCursor);
  if (zip.entryCount > limits.maxEntries) {
    throw new ZipFault(`The archive has more than ${limits.maxEntries.toLocaleString('en')} entries.`);
  }
  const entries: ListedEntry[] = [];
  const listing = zip.eachEntry();
  for (;;) {
    const { done, value: entry } = await reader.during(listing.next());
    if (done === true) break;
    signal?.throwIfAborted();
    entries.push(toListed(entry));
  }
  await checkEnd(bytes, Number(zip.readEntryCursor));
  checkRatio(entries, bytes.size, limits.maxRatio);
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
 * APPNOTE, section 4.3.6: what may stand behind the last header. Another header would be an entry that nobody
 * counts.
 */
const BEHIND_HEADERS: readonly number[] = [0x0605_4b50, 0x0606_4b50, 0x0505_4b50];

async function checkEnd(bytes: ByteWindows, offset: number): Promise<void> {
  const signature = (await bytes.get(offset, 4)).readUInt32LE(0);
  if (!BEHIND_HEADERS.includes(signature)) {
    throw new ZipFault('The archive is damaged: its directory does not end where it says.');
  }
}

/**
 * Lets yauzl read in the windows, and keeps apart what it finds wrong and what went wrong with the reading.
 */
class WindowReader extends RandomAccessReader {
  readonly #bytes: ByteWindows;
  #fault: { readonly error: unknown } | undefined;

  constructor(bytes: ByteWindows) {
    super();
    this.#bytes = bytes;
  }

  /** For work of yauzl alone. @throws ZipFault for what it says of the archive; what the bytes throw */
  async during<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (this.#fault !== undefined) throw this.#fault.error;
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
        this.#fault = { error };
        callback(error);
      },
    );
  }
}

/** yauzl tells what it finds in sentences only. */
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
