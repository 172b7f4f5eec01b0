import { type Download, type DownloadOptions, openDownload } from '../downloads/download.ts';
import { InvalidError } from '../errors/errors.ts';
import type {
  EntryRecord,
  LinkedEntry,
  PublicFolderLink,
  ReceivedFile,
  SignedUrl,
} from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { RequestOptions } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import { writeForm } from '../uploads/form.ts';
import { readResumeToken, writeResumeToken } from '../uploads/resume-token.ts';
import { createUpload, sendBytes, TUS_HEADERS, type TusEndpoint } from '../uploads/tus-upload.ts';
import { nameOf, timeOf, toPieces, type UploadSource } from '../uploads/upload-source.ts';
import type { UploadOptions, UploadTarget } from '../uploads/uploads.ts';
import type { ConflictRule } from './drive.ts';
import { VisitorCookies } from './visitor-cookies.ts';

/** The target of a visitor's file, and who sends it. */
export interface VisitorUploadTarget extends UploadTarget {
  /** The sender's name, shown to the owner, 1 to 64 characters. */
  readonly sender?: string | undefined;
}

const TUS = '/api/v2/folder-links/{token}/tus';

/** A folder link from the view of its visitor. Paths are relative to the linked directory, which is `/`. */
export class VisitedFolderLink {
  readonly #requester: Requester;
  readonly #token: string;
  readonly #cookies = new VisitorCookies();

  constructor(requester: Requester, token: string) {
    this.#requester = requester;
    this.#token = token;
  }

  /** Describes the link, and what it still accepts. @throws HoldallError: `ExpiredError`, `NotFoundError` */
  about(options: CallOptions = {}): Promise<PublicFolderLink> {
    return this.#requester.ask('GET /api/v2/folder-links/{token}', this.#input, this.#with(options));
  }

  /** Sends the password, which counts for an hour. @throws HoldallError: `ForbiddenError` if it is wrong */
  async unlock(password: string, options: CallOptions = {}): Promise<void> {
    const input = { ...this.#input, body: { password } };
    const operation = 'POST /api/v2/folder-links/{token}/verify-password';
    const response = await this.#requester.open(operation, input, options);
    this.#cookies.keep(response);
    await response.body?.cancel();
  }

  /** The content of a directory. */
  list(path = '/', options: ListOptions = {}): PageList<LinkedEntry> {
    return new PageList((query, call) => {
      const input = { ...this.#input, query: { ...query, path } };
      return this.#requester.ask('GET /api/v2/folder-links/{token}/entries', input, this.#with(call));
    }, options);
  }

  /** Begins the download of a file, or of a directory as a ZIP archive. @throws HoldallError */
  open(path: string, options: DownloadOptions = {}): Promise<Download> {
    const input = { ...this.#input, query: { path } };
    return openDownload(
      (request) =>
        this.#requester.open('GET /api/v2/folder-links/{token}/download', input, this.#with(request)),
      options,
    );
  }

  /** Creates a URL that serves several entries as one ZIP archive for some minutes. @throws HoldallError */
  zipUrl(paths: readonly string[], options: CallOptions = {}): Promise<SignedUrl> {
    const input = { ...this.#input, body: { paths } };
    return this.#requester.ask('POST /api/v2/folder-links/{token}/downloads', input, this.#with(options));
  }

  /** Begins the download of several entries as one ZIP archive. @throws HoldallError */
  async openZip(paths: readonly string[], options: DownloadOptions = {}): Promise<Download> {
    const { signal, timeoutMs } = options;
    const { url } = await this.zipUrl(paths, { signal, timeoutMs });
    // The URL may be only a path, because visitors may know the service under another name.
    const ticket = new URL(url, 'http://relative').searchParams.get('ticket') ?? '';
    const input = { ...this.#input, query: { ticket } };
    const operation = 'GET /api/v2/folder-links/{token}/downloads';
    return openDownload((request) => this.#requester.open(operation, input, this.#with(request)), options);
  }

  /** A small WebP picture of a file. @throws HoldallError: `UnsupportedError` if it can have none */
  async thumbnail(path: string, size: 256 | 1024, options: CallOptions = {}): Promise<Blob> {
    const input = { ...this.#input, query: { path, size } };
    const operation = 'GET /api/v2/folder-links/{token}/thumbnail';
    return (await this.#requester.open(operation, input, this.#with(options))).blob();
  }

  /** The owner's profile picture, as a WebP. @throws HoldallError: `NotFoundError` without one */
  async ownerAvatar(options: CallOptions = {}): Promise<Blob> {
    const operation = 'GET /api/v2/folder-links/{token}/owner-avatar';
    return (await this.#requester.open(operation, this.#input, this.#with(options))).blob();
  }

  /** Uploads a small file with one request. @throws HoldallError: `OverLimitError`, `ForbiddenError` */
  async upload(
    file: Blob,
    target: VisitorUploadTarget = {},
    options: CallOptions = {},
  ): Promise<ReceivedFile> {
    const { path, sender } = target;
    const { body, headers } = writeForm(
      { path, sender, modifiedAt: toTimestamp(target, file) },
      {
        filename: filenameOf(target, file),
        contentType: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      },
    );
    const operation = 'POST /api/v2/folder-links/{token}/uploads';
    return this.#requester.ask(operation, { ...this.#input, body }, this.#with(options, headers));
  }

  /** Uploads a file of any size, and retries after temporary errors. @throws HoldallError */
  async put(
    source: UploadSource,
    target: VisitorUploadTarget = {},
    options: UploadOptions = {},
  ): Promise<void> {
    const pieces = toPieces(source);
    const metadata = {
      path: target.path,
      sender: target.sender,
      filename: filenameOf(target, source),
      filetype: target.contentType ?? pieces.type,
      modifiedAt: toTimestamp(target, source),
    };
    const sessionId = await createUpload(this.#tus, pieces.size, metadata, options);
    await options.onResumeToken?.(writeResumeToken({ sessionId, size: pieces.size }));
    await sendBytes(this.#tus, sessionId, pieces, { ...options, offset: 0 });
  }

  /** Continues an upload, possibly from another run of the program. @throws HoldallError */
  resume(token: string, source: UploadSource, options: UploadOptions = {}): Promise<void> {
    return sendBytes(this.#tus, readResumeToken(token).sessionId, toPieces(source), options);
  }

  /** Ends an unfinished upload. @throws HoldallError */
  async discard(token: string, options: CallOptions = {}): Promise<void> {
    const path = { ...this.#input.path, sessionId: readResumeToken(token).sessionId };
    await this.#requester.open(`DELETE ${TUS}/{sessionId}`, { path }, this.#with(options, TUS_HEADERS));
  }

  /** The current size limit of an upload, in bytes; undefined if the link has none. @throws HoldallError */
  async maxBytes(options: CallOptions = {}): Promise<number | undefined> {
    const response = await this.#requester.open(
      `OPTIONS ${TUS}`,
      this.#input,
      this.#with(options, TUS_HEADERS),
    );
    const size = response.headers.get('tus-max-size');
    return size === null ? undefined : Number(size);
  }

  /** Copies an entry into the user's drive. @throws HoldallError */
  import(
    path: string,
    targetPath = '/',
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    const input = { ...this.#input, body: { path, targetPath, onConflict } };
    return this.#requester.ask('POST /api/v2/folder-links/{token}/import', input, this.#with(options));
  }

  get #input() {
    return { path: { token: this.#token } };
  }

  get #tus(): TusEndpoint {
    const { path } = this.#input;
    return {
      create: (headers, options) =>
        this.#requester.open(`POST ${TUS}`, this.#input, this.#with(options, headers)),
      head: (sessionId, options) =>
        this.#requester.open(
          `HEAD ${TUS}/{sessionId}`,
          { path: { ...path, sessionId } },
          this.#with(options),
        ),
      patch: (sessionId, body, options) =>
        this.#requester.open(
          `PATCH ${TUS}/{sessionId}`,
          { path: { ...path, sessionId }, body },
          this.#with(options),
        ),
    };
  }

  #with(options: RequestOptions, headers: Readonly<Record<string, string>> = {}): RequestOptions {
    return { ...options, headers: { ...options.headers, ...headers, ...this.#cookies.headers() } };
  }
}

function filenameOf({ filename }: UploadTarget, source: UploadSource): string {
  const name = filename ?? nameOf(source);
  if (name === undefined) throw new InvalidError('An upload needs a filename.');
  return name;
}

function toTimestamp({ modifiedAt }: UploadTarget, source: UploadSource): string | undefined {
  return modifiedAt instanceof Date ? modifiedAt.toISOString() : (modifiedAt ?? timeOf(source));
}
