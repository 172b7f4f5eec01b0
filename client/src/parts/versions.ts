import { type Download, type DownloadOptions, openDownload } from '../downloads/download.ts';
import type { EntryRecord, FileVersion } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import type { RawBody } from '../shapes/raw-body.ts';

/** The current and the earlier contents of a file. */
export class Versions {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Earlier contents, newest first. They are kept for ten days. @throws HoldallError */
  list(fileId: number, options: CallOptions = {}): Promise<readonly FileVersion[]> {
    return this.#requester.ask('GET /api/v2/files/{fileId}/versions', { path: { fileId } }, options);
  }

  /** Begins the download of an earlier content, and verifies its checksum. @throws HoldallError */
  open(fileId: number, version: FileVersion, options: DownloadOptions = {}): Promise<Download> {
    const path = { fileId, versionId: version.id };
    return openDownload(
      (request) => this.#requester.open('GET /api/v2/files/{fileId}/versions/{versionId}', { path }, request),
      options,
      async () => version.sha256 ?? undefined,
    );
  }

  /** Restores an earlier content. The current one becomes a version. @throws HoldallError */
  restore(fileId: number, versionId: number, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/v2/files/{fileId}/versions/{versionId}/restore',
      { path: { fileId, versionId } },
      options,
    );
  }

  /** Deletes an earlier content. @throws HoldallError */
  async delete(fileId: number, versionId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask(
      'DELETE /api/v2/files/{fileId}/versions/{versionId}',
      { path: { fileId, versionId } },
      options,
    );
  }

  /**
   * Replaces the content of a file. The current one becomes a version. Id, name and shares stay. The bytes
   * are sent in one request, which cannot be resumed.
   * @throws HoldallError: `PreconditionError` if the current content has another ETag than `etag`
   */
  replace(fileId: number, body: RawBody, options: ReplaceOptions = {}): Promise<EntryRecord> {
    const { etag, sha256, modifiedAt, ...call } = options;
    const headers = {
      ...(etag === undefined ? {} : { 'if-match': etag }),
      ...(sha256 === undefined ? {} : { 'x-checksum-sha256': sha256 }),
    };
    const input = { path: { fileId }, query: { modifiedAt: modifiedAt?.toISOString() }, body };
    return this.#requester.ask('PUT /api/v2/files/{fileId}/content', input, {
      ...call,
      // No time limit, because the bytes may take any time.
      timeoutMs: call.timeoutMs ?? 0,
      headers,
    });
  }
}

export interface ReplaceOptions extends CallOptions {
  /** Replaces the content only if it has this ETag, as returned by a download. */
  readonly etag?: string | undefined;
  /** The checksum of the new bytes, in hex; the service rejects other bytes. */
  readonly sha256?: string | undefined;
  /** When the new content was last modified; now if absent. */
  readonly modifiedAt?: Date | undefined;
}
