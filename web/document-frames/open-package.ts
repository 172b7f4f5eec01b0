// Reads the ZIP archive of a document within limits. The sizes that an archive declares may be wrong, so the
// bytes are counted while they are unpacked.
import {
  BlobWriter,
  configure,
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
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(bytes)));
  const files: Package = new Map();
  let left = MAX_BYTES;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      // Some Windows programs separate directories with backslashes.
      const name = entry.filename.replaceAll('\\', '/');
      if (entry.directory || !isWanted(name)) continue;
      if (files.size === MAX_FILES) throw new DocumentError('too-large');
      const most = isXml(name) ? Math.min(left, MAX_XML_BYTES) : left;
      // Most archives declare the right size, so this saves work for those that are too large.
      if (entry.uncompressedSize > most) throw new DocumentError('too-large');
      const collected = new BoundedBytes(most);
      await entry.getData(collected.writable);
      const file = collected.join();
      left -= file.byteLength;
      if (isXml(name)) checkXml(file);
      files.set(name, file);
    }
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError('damaged', { cause: error });
  }
  return files;
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
