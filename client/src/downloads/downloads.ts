import { readContentTag } from '../common/content-tag.ts';
import { PreconditionError } from '../errors/errors.ts';
import type { SignedUrl } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import { type Download, type DownloadOptions, openDownload } from './download.ts';

export interface DriveDownloadOptions extends DownloadOptions {
  /**
   * Whether to verify a whole file against the service's checksum, with one more request after the last byte.
   * `true` if absent.
   */
  readonly verify?: boolean | undefined;
}

/** Downloads from the drive. */
export class Downloads {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Begins the download of a file, or of a directory as a ZIP archive. If the connection breaks, the download
   * continues at that point, as long as the content is the same.
   * @throws HoldallError
   */
  open(fileId: number, options: DriveDownloadOptions = {}): Promise<Download> {
    const { verify = true, signal, timeoutMs } = options;
    const findSha256 = (etag: string) => this.sha256(fileId, etag, { signal, timeoutMs });
    return openDownload(
      (request) => this.#requester.open('GET /api/files/download/{fileId}', { path: { fileId } }, request),
      options,
      verify ? findSha256 : undefined,
    );
  }

  /** Reads a whole file into memory. @throws HoldallError */
  async bytes(fileId: number, options: DriveDownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.open(fileId, options)).bytes();
  }

  /** The ETag, length and type of a file, without its bytes. @throws HoldallError */
  async head(
    fileId: number,
    options: CallOptions = {},
  ): Promise<{ readonly etag: string | undefined; readonly size: number | undefined }> {
    const path = { fileId };
    const response = await this.#requester.head('GET /api/files/download/{fileId}', { path }, options);
    const length = response.headers.get('content-length');
    return { etag: readContentTag(response), size: length === null ? undefined : Number(length) };
  }

  /** Creates a URL that serves the file for some minutes without a login. @throws HoldallError */
  signedUrl(fileId: number, options: CallOptions = {}): Promise<SignedUrl> {
    return this.#requester.ask('GET /api/files/download/{fileId}/url', { path: { fileId } }, options);
  }

  /**
   * Creates a URL that serves several entries as one ZIP archive without a login.
   * @param fileIds 1 to 1,000
   * @throws HoldallError
   */
  zipUrl(fileIds: readonly number[], name?: string, options: CallOptions = {}): Promise<SignedUrl> {
    return this.#requester.ask('POST /api/v2/downloads', { body: { fileIds, name } }, options);
  }

  /** Begins the download of several entries as one ZIP archive. @throws HoldallError */
  async openZip(
    fileIds: readonly number[],
    options: DownloadOptions & { readonly name?: string | undefined } = {},
  ): Promise<Download> {
    const { url } = await this.zipUrl(fileIds, options.name, options);
    const ticket = new URL(url).searchParams.get('ticket') ?? '';
    return openDownload(
      (request) => this.#requester.open('GET /api/v2/downloads', { query: { ticket } }, request),
      options,
    );
  }

  /**
   * A small WebP picture of a file.
   * @param size pixels of the longest side
   * @throws HoldallError: `UnsupportedError` if the file can have none
   */
  async thumbnail(
    { id, thumbnailVersion }: { readonly id: number; readonly thumbnailVersion: string | null },
    size: 256 | 1024,
    options: CallOptions = {},
  ): Promise<Blob> {
    const query = { size, ...(thumbnailVersion === null ? {} : { v: thumbnailVersion }) };
    const path = { fileId: id };
    const response = await this.#requester.open(
      'GET /api/v2/files/{fileId}/thumbnail',
      { path, query },
      options,
    );
    return response.blob();
  }

  /**
   * The SHA-256 of the content with this ETag, in hex; undefined if the service does not know it yet, or if
   * the content has changed.
   * @throws HoldallError
   */
  async sha256(fileId: number, etag: string, options: CallOptions = {}): Promise<string | undefined> {
    const { sha256 } = await this.#requester.ask('GET /api/v2/files/{fileId}', { path: { fileId } }, options);
    if (sha256 === null) return undefined;
    try {
      const headers = { 'if-match': etag };
      const path = { fileId };
      await this.#requester.head('GET /api/files/download/{fileId}', { path }, { ...options, headers });
      return sha256;
    } catch (error) {
      if (error instanceof PreconditionError) return undefined;
      throw error;
    }
  }
}
