import { type Clock, type Instant, SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { toContentType } from '../../base/text/media-type.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { toAttachment, toExtendedValue } from '../../http/download/content-disposition.ts';
import type { DownloadClient } from '../../http/download/download-client.ts';
import type { DownloadableStream } from '../../http/download/file-download.ts';
import type { ProxiedFile } from '../../http/download/file-sender.ts';
import type { UrlSigner } from '../../http/signed-url.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Picture } from '../../thumbnails/thumbnails.ts';
import type { Entry } from '../entries/entry.ts';
import { findEntryWithObject } from '../entries/entry-object-queries.ts';
import type { OpenArchives } from './open-archives.ts';
import { findFileObject, findMovedObject } from './queries.ts';
import { getTopEntries } from './top-entries.ts';
import type { TopEntry } from './zip-contents.ts';
import { ZipDownload } from './zip-download.ts';

/** A file with the location of its object. */
export interface StoredFile extends ProxiedFile {
  readonly location: ObjectLocation;
}

/**
 * What a download sends: the bytes of a file, or a directory as a ZIP archive that is written while it is
 * sent.
 */
export type Download =
  | { readonly kind: 'file'; readonly file: StoredFile }
  | { readonly kind: 'zip'; readonly zip: DownloadableStream };

/** A file to put into an archive. It belongs to no drive. */
export interface ArchivedFile extends Pick<TopEntry, 'blobId' | 'size' | 'modifiedAt' | 'crc32'> {
  /** The path in the archive. It is unique among the archive's files. */
  readonly path: string;
}

interface DownloadsParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly signer: UrlSigner;
  readonly urlTtlMs: number;
  readonly openArchives: OpenArchives;
}

export class Downloads {
  readonly #parts: DownloadsParts;

  constructor(parts: DownloadsParts) {
    this.#parts = parts;
  }

  /**
   * @throws Failure `not-found`; for a directory as {@link OpenArchives.read}
   */
  async open(driveId: number, id: number, client: DownloadClient): Promise<Download> {
    const { entry, location } = await this.#get(driveId, id);
    if (location === null) return await this.openDirectory(entry, client);
    return { kind: 'file', file: this.toFile(entry, location) };
  }

  /** The file to make a thumbnail from. For a directory, the location is null. @throws Failure `not-found` */
  async getPicture(driveId: number, id: number): Promise<Picture> {
    const { entry, location } = await this.#get(driveId, id);
    return { ...entry, location };
  }

  /**
   * A URL that serves a file without authentication until it expires.
   * @throws Failure `not-found`; `rejected` for a directory
   */
  async signUrl(driveId: number, id: number, baseUrl: string): Promise<{ url: string; expiresAt: string }> {
    const { entry, location } = await this.#get(driveId, id);
    if (location === null) throw new Failure('rejected', 'A directory has no download URL.');
    const until = this.#parts.clock.now() + this.#parts.urlTtlMs;
    const url = isMobilePackage(entry.name) ? undefined : await this.findStoreUrl({ ...entry, location });
    if (url !== undefined) return { url, expiresAt: toTimestamp(until) };
    const path = `/_dl/${await this.#parts.blobs.getPath(location)}`;
    const { md5, expires } = this.#parts.signer.sign(path, until);
    const name = entry.name.toWellFormed();
    const signature = this.#parts.signer.signName(path, expires, name);
    const query = `md5=${md5}&expires=${expires}&signature=${signature}&filename=${toExtendedValue(name)}`;
    return { url: `${baseUrl}${path}?${query}`, expiresAt: toTimestamp(Number(expires) * 1_000) };
  }

  /**
   * A URL at the object store that serves the file as a download. Returns undefined if the store has no such
   * URLs, or if less than a second is left.
   * @param until the latest instant at which the URL may expire
   */
  async findStoreUrl(
    { name, contentType, location }: Pick<StoredFile, 'name' | 'contentType' | 'location'>,
    until: Instant = Number.POSITIVE_INFINITY,
  ): Promise<string | undefined> {
    const maxMs = Math.floor((until - this.#parts.clock.now()) / SECOND) * SECOND;
    if (maxMs <= 0) return undefined;
    const headers = {
      disposition: toAttachment(name),
      contentType: toContentType(contentType),
    };
    return await this.#parts.blobs.signDownload(location, headers, Math.min(this.#parts.urlTtlMs, maxMs));
  }

  /**
   * The file of a signed URL. A name without a valid signature is ignored: it could make a file look like
   * another.
   * @throws Failure `forbidden` for a wrong signature; `expired`; `not-found`
   */
  async openSigned(
    path: string,
    query: { md5?: string; expires?: string; filename?: string; signature?: string },
  ): Promise<StoredFile> {
    this.#parts.signer.check(path, query, this.#parts.clock.now());
    const objectKey = this.#parts.blobs.findKeyInPath(path);
    const object = objectKey === undefined ? undefined : await this.#findObject(objectKey);
    if (object === undefined) throw new Failure('not-found', 'This file no longer exists.');
    const { size, contentType, createdAt } = object;
    const name = this.#parts.signer.findName(path, query) ?? 'download';
    return this.toFile({ name, size, contentType, blobId: object.blobId, modifiedAt: createdAt }, object);
  }

  /** Also finds an object that a policy migration has moved since the URL was signed. */
  async #findObject(objectKey: string) {
    const { db } = this.#parts.database;
    return (await findFileObject(db, objectKey)) ?? (await findMovedObject(db, objectKey));
  }

  async #get(driveId: number, id: number) {
    const found = await findEntryWithObject(this.#parts.database.db, driveId, id);
    if (found === undefined) throw new Failure('not-found', 'There is no such file or directory.');
    return found;
  }

  /** Describes a live file for a download. The caller has checked that it may be sent. */
  toFile(
    entry: Pick<Entry, 'name' | 'size' | 'contentType' | 'blobId' | 'modifiedAt'>,
    { policyId, objectKey }: ObjectLocation,
  ): StoredFile {
    const { name, size, contentType, blobId, modifiedAt } = entry;
    const location = { policyId, objectKey };
    return {
      location,
      name,
      contentType,
      size,
      etag: etagOf({ blobId, size }),
      modifiedAt,
      findDiskPath: () => this.#parts.blobs.findDiskPath(location),
      open: (range) => this.#parts.blobs.open(location, range),
      read: (range) => this.#parts.blobs.read(location, range),
    };
  }

  /**
   * Opens a directory as an archive named after it. The caller has checked that it may be sent.
   * @throws Failure as {@link OpenArchives.read}
   */
  async openDirectory(directory: Entry, client: DownloadClient): Promise<Download> {
    return await this.#openZip([{ ...directory, crc32: null }], directory.name, client);
  }

  /**
   * Opens several entries of a drive as one archive. The caller has checked that they may be sent.
   * @throws Failure `not-found` if one of them is gone; otherwise like {@link openDirectory}
   */
  async openAll(
    driveId: number,
    ids: readonly number[],
    name: string,
    client: DownloadClient,
  ): Promise<Download> {
    return await this.#openZip(await getTopEntries(this.#parts.database.db, driveId, ids), name, client);
  }

  /**
   * Opens files that belong to no drive as one archive. The caller has checked that they may be sent.
   * @param name the archive's name, without its extension
   * @throws Failure as {@link OpenArchives.read}
   */
  async openFiles(
    files: readonly ArchivedFile[],
    name: string,
    client: DownloadClient,
  ): Promise<DownloadableStream> {
    const top = files.map(({ path, ...file }, id) => ({
      ...file,
      ...{ id, name: path, isDirectory: false, childCount: 0 },
    }));
    return await this.#readZip(top, name, client);
  }

  async #openZip(top: readonly TopEntry[], name: string, client: DownloadClient): Promise<Download> {
    return { kind: 'zip', zip: await this.#readZip(top, name, client) };
  }

  async #readZip(top: readonly TopEntry[], name: string, client: DownloadClient): Promise<ZipDownload> {
    const contents = await this.#parts.openArchives.read(top, client);
    return new ZipDownload({ database: this.#parts.database, blobs: this.#parts.blobs, contents, name });
  }
}

/**
 * The strong entity tag of a file, without quotes. The bytes of a blob never change, and its id is never
 * reused.
 */
export function etagOf({ blobId, size }: Pick<Entry, 'blobId' | 'size'>): string {
  return `${(blobId ?? 0).toString(36)}-${size.toString(36)}`;
}

/** Packages of mobile apps are always served by this server or its front proxy, never by the object store. */
function isMobilePackage(name: string): boolean {
  return /\.(apk|ipa)$/i.test(name);
}
