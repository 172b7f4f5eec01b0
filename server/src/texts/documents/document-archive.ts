import { Readable } from 'node:stream';
import { findContent, isSmall, readContent, streamContent } from '../../formats/zip/reading/content.ts';
import { ZipFault, type ZipFaultKind } from '../../formats/zip/reading/fault.ts';
import type { ListedEntry, ZipArchive } from '../../formats/zip/reading/listing.ts';
import { type ReadingLimits, readArchive } from '../../formats/zip/reading/reader.ts';
import type { ArchiveBytes } from '../../formats/zip/reading/windows.ts';
import { NoText, type NoTextReason } from '../no-text.ts';

const LIMITS: ReadingLimits = { maxEntries: 20_000, maxRatio: 1_000 };

/** The most bytes of a document that are unpacked, in all of its parts together. */
const MAX_UNPACKED_BYTES = 64 * 1_024 * 1_024;

const REASONS: Readonly<Record<ZipFaultKind, NoTextReason>> = {
  damaged: 'damaged',
  encrypted: 'encrypted',
  excessive: 'over-limit',
};

/** A document that is a ZIP archive of parts. The names of parts are compared without regard to case. */
export class DocumentArchive {
  readonly #archive: ZipArchive;
  readonly #entries: ReadonlyMap<string, ListedEntry>;
  #unpacked = 0;
  #damage: NoText | undefined;

  private constructor(archive: ZipArchive) {
    this.#archive = archive;
    const files = archive.entries.filter(({ isDirectory }) => !isDirectory);
    this.#entries = new Map(files.map((entry) => [keyOf(entry.name), entry]));
  }

  /** @throws NoText */
  static async open(bytes: Buffer): Promise<DocumentArchive> {
    try {
      return new DocumentArchive(await readArchive(toArchiveBytes(bytes), LIMITS));
    } catch (error) {
      throw toNoText(error);
    }
  }

  has(part: string): boolean {
    return this.#entries.has(keyOf(part));
  }

  /** The size of a part as the archive states it; 0 if there is no such part. */
  sizeOf(part: string): number {
    return this.#entries.get(keyOf(part))?.size ?? 0;
  }

  /** The content of a part in chunks; nothing if there is no such part. @throws NoText */
  async *read(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(keyOf(part));
    if (entry === undefined) return;
    try {
      for await (const chunk of this.#contentOf(entry)) {
        this.#unpacked += chunk.byteLength;
        if (this.#unpacked > MAX_UNPACKED_BYTES)
          throw new NoText('over-limit', 'The document unpacks to more than 64 MiB.');
        yield chunk;
      }
    } catch (error) {
      throw toNoText(error);
    }
  }

  /** The content of a part; empty if there is no such part. @throws NoText */
  async readAll(part: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.read(part)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /**
   * Collects a part of a document that has a text even without it. If the part is damaged, its text ends
   * early.
   * @throws NoText if there is too much in the document
   */
  async collectOptional(collect: () => Promise<unknown>): Promise<void> {
    try {
      await collect();
    } catch (error) {
      if (!(error instanceof NoText) || error.reason === 'over-limit') throw error;
      this.#damage ??= error;
    }
  }

  /** The first error that {@link collectOptional} has caught. */
  get damage(): NoText | undefined {
    return this.#damage;
  }

  async *#contentOf(entry: ListedEntry): AsyncGenerator<Uint8Array> {
    const { bytes, directoryOffset } = this.#archive;
    const content = await findContent(bytes, entry, directoryOffset);
    if (isSmall(entry)) yield await readContent(bytes, content);
    else yield* streamContent(bytes, content);
  }
}

function keyOf(part: string): string {
  return decodePart(part).replace(/^\/+/, '').toLowerCase();
}

/** Decodes percent escapes, which programs use in references, in names of parts, or in both. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function toArchiveBytes(bytes: Buffer): ArchiveBytes {
  const range = ({ start, end }: { start: number; end: number }) => bytes.subarray(start, end + 1);
  return {
    size: bytes.length,
    read: async (wanted) => range(wanted),
    open: async (wanted) => Readable.from([range(wanted)], { objectMode: false }),
  };
}

function toNoText(error: unknown): unknown {
  if (!(error instanceof ZipFault)) return error;
  return new NoText(REASONS[error.kind], error.message, { cause: error });
}
