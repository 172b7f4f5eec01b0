// Reads the ZIP archive of a document within limits. The sizes that an archive declares may be wrong, so the
// bytes are counted while they are unpacked.
import {
  BlobWriter,
  configure,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/lib/zip-core-native.js';
import { DocumentError } from './frame.ts';

/** Workers do not exist in a sandbox. */
configure({ useWebWorkers: false });

/** The maximum total size of all unpacked files. */
const MAX_BYTES = 100_000_000;
/** The maximum size of one XML file, whose elements take many times its size in memory. */
const MAX_XML_BYTES = 20_000_000;
const MAX_FILES = 5_000;

/** The files of a document by their names. */
export type Package = Map<string, Uint8Array<ArrayBuffer>>;

/**
 * @param isWanted whether to unpack the file with that name
 * @throws DocumentError
 */
export async function openPackage(
  bytes: ArrayBuffer,
  isWanted: (name: string) => boolean = () => true,
): Promise<Package> {
  const archive = await Archive.open(bytes);
  const files: Package = new Map();
  for (const name of archive.names) {
    if (!isWanted(name)) continue;
    const file = await archive.read(name);
    if (isXml(name)) checkXml(file);
    files.set(name, file);
  }
  return files;
}

/** The ZIP archive of a document, whose files are unpacked when they are needed. */
export class Archive {
  readonly #entries: ReadonlyMap<string, FileEntry>;
  #left = MAX_BYTES;

  private constructor(entries: ReadonlyMap<string, FileEntry>) {
    this.#entries = entries;
  }

  /** @throws DocumentError */
  static async open(bytes: ArrayBuffer): Promise<Archive> {
    const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(bytes)));
    const entries = new Map<string, FileEntry>();
    try {
      for await (const entry of reader.getEntriesGenerator()) {
        if (entry.directory) continue;
        if (entries.size === MAX_FILES) throw new DocumentError('too-large');
        // Some Windows programs separate directories with backslashes.
        entries.set(entry.filename.replaceAll('\\', '/'), entry);
      }
    } catch (error) {
      throw toDocumentError(error);
    }
    return new Archive(entries);
  }

  get names(): Iterable<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Unpacks a file.
   * @param limit its maximum size in bytes
   * @throws DocumentError
   */
  async read(name: string, limit = MAX_BYTES): Promise<Uint8Array<ArrayBuffer>> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new DocumentError('damaged');
    const most = Math.min(this.#left, limit, isXml(name) ? MAX_XML_BYTES : MAX_BYTES);
    // Most archives declare the right size, so this saves work for those that are too large.
    if (entry.uncompressedSize > most) throw new DocumentError('too-large');
    const collected = new BoundedBytes(most);
    try {
      await entry.getData(collected.writable);
    } catch (error) {
      throw toDocumentError(error);
    }
    const file = collected.join();
    this.#left -= file.byteLength;
    return file;
  }

  /** Lets the same bytes be unpacked again, when they are no longer shown. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}

function toDocumentError(error: unknown): DocumentError {
  return error instanceof DocumentError ? error : new DocumentError('damaged', { cause: error });
}

/** Packs the files into a new archive without compression. */
export async function closePackage(files: Package): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter(), { level: 0, extendedTimestamp: false });
  for (const [name, file] of files) await writer.add(name, new Uint8ArrayReader(file));
  return await writer.close();
}

export function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name);
}

/**
 * Rejects custom entities, because small ones can expand to a lot. Office programs write none, and always
 * UTF-8.
 */
function checkXml(file: Uint8Array<ArrayBuffer>): void {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new DocumentError('damaged');
}

/** Collects bytes up to a limit. */
class BoundedBytes {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  readonly writable: WritableStream<Uint8Array>;

  constructor(most: number) {
    this.writable = new WritableStream({
      write: (chunk) => {
        this.#size += chunk.byteLength;
        if (this.#size > most) throw new DocumentError('too-large');
        this.#chunks.push(chunk);
      },
    });
  }

  join(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all;
  }
}
