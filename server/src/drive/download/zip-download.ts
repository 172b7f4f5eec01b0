import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ByteRange } from '../../base/bytes/byte-range.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { readArchiveRange, type StoredEntry } from '../../formats/zip/writing/stored-archive.ts';
import { writeZip, type ZipEntry } from '../../formats/zip/writing/writer.ts';
import type { DownloadableStream } from '../../http/download/file-download.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import { findLocations } from './queries.ts';
import type { ZipContent, ZipContents } from './zip-contents.ts';
import { toStoredEntry, toZipEntry } from './zip-entries.ts';

/** The number of entries whose objects are looked up at a time. */
const BATCH_SIZE = 200;

interface ZipDownloadParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly contents: ZipContents;
  readonly name: string;
}

/**
 * The download of a directory as a ZIP archive. Any range of it can be sent, so that an interrupted download
 * can be resumed. While any file's CRC is unknown, the archive is always written from its beginning.
 */
export class ZipDownload implements DownloadableStream {
  readonly name: string;
  readonly contentType = 'application/zip';
  readonly size: number;
  readonly etag: string | undefined;
  readonly #parts: ZipDownloadParts;

  /** @param parts.name the name of the directory */
  constructor(parts: ZipDownloadParts) {
    this.#parts = parts;
    this.name = `${parts.name}.zip`;
    this.size = parts.contents.layout.bytes;
    this.etag = parts.contents.toEtag();
  }

  open(range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (this.etag === undefined) return writeZip(this.#zipEntries(), { signal });
    const archive = {
      layout: this.#parts.contents.layout,
      metadataAt: (index: number) => this.#parts.contents.at(index).metadata,
      entries: (from: number, to: number) => this.#storedEntries(from, to),
    };
    return readArchiveRange(archive, range, signal);
  }

  async *#storedEntries(from: number, to: number): AsyncGenerator<StoredEntry> {
    for await (const { location } of this.#located(from, to))
      yield toStoredEntry(this.#parts.blobs, location);
  }

  async *#zipEntries(): AsyncGenerator<ZipEntry> {
    for await (const { content, location } of this.#located(0, this.#parts.contents.count)) {
      const { path, blobId, metadata } = content;
      const { size, crc32, modifiedAt } = metadata;
      yield toZipEntry(this.#parts.blobs, path, {
        isDirectory: blobId === null,
        size,
        crc32,
        modifiedAt,
        location,
      });
    }
  }

  /** Looks up the objects when they are needed: a policy migration may have moved them since the start. */
  async *#located(
    from: number,
    to: number,
  ): AsyncGenerator<{ readonly content: ZipContent; readonly location: ObjectLocation | null }> {
    for (let at = from; at < to; at += BATCH_SIZE) {
      const batch = this.#parts.contents.slice(at, Math.min(at + BATCH_SIZE, to));
      const blobIds = batch.flatMap(({ blobId }) => blobId ?? []);
      const locations = await findLocations(this.#parts.database.db, blobIds);
      for (const content of batch) {
        const { path, blobId } = content;
        const location = blobId === null ? null : locations.get(blobId);
        if (location === undefined) throw new Error(`The bytes of ${path} were removed during the download.`);
        yield { content, location };
      }
      // Directories and empty files need no reads, so without this other requests would have to wait.
      await yieldToEventLoop();
    }
  }
}
