import { HoldallError, InvalidError } from '../errors/errors.ts';
import type { EntryDetails, EntryRecord, SessionRecord, SessionWithRuntime } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import { type FormFile, writeForm } from './form.ts';
import { readResumeToken, writeResumeToken } from './resume-token.ts';
import {
  createUpload,
  findOffset,
  type SendOptions,
  sendBytes,
  TUS_HEADERS,
  type TusEndpoint,
} from './tus-upload.ts';
import { nameOf, type PieceSource, timeOf, toPieces, type UploadSource } from './upload-source.ts';

/** The target of an upload. */
export interface UploadTarget {
  /** The directory, which is created if it is missing. `/` if absent. */
  readonly path?: string | undefined;
  /** Required unless the source is a `File`, which has a name. */
  readonly filename?: string | undefined;
  /** If absent, the type of the source. If that is unknown, the service decides by the name. */
  readonly contentType?: string | undefined;
  /** When the content was last modified; that of a `File` if absent. */
  readonly modifiedAt?: Date | string | undefined;
}

export interface UploadOptions extends SendOptions {
  /**
   * Called once with a token for `resume`, before the first byte is sent. Store it, so that another run of
   * the program can continue within 24 hours. The upload waits until this function is done.
   */
  readonly onResumeToken?: ((token: string) => void | Promise<void>) | undefined;
}

/**
 * Files up to this size, in bytes, are sent in one request, which costs the service less than a resumable
 * upload. They have no resume token.
 */
export const SMALL_UPLOAD_BYTES = 256 * 1_024;

/** Uploads to the drive. */
export class Uploads {
  readonly #requester: Requester;
  readonly #endpoint: TusEndpoint;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.#endpoint = tusOfDrive(requester);
  }

  /**
   * Uploads a file, and retries after temporary errors. A small file is sent in one request. For a larger
   * one, the service keeps the bytes that have arrived.
   * @throws HoldallError: `ConflictError` if the name is taken, `OverLimitError` if there is no room
   */
  async put(
    source: UploadSource,
    target: UploadTarget = {},
    options: UploadOptions = {},
  ): Promise<EntryRecord> {
    const filename = target.filename ?? nameOf(source);
    if (filename === undefined) throw new InvalidError('An upload needs a filename.');
    const modifiedAt = toTimestamp(target.modifiedAt) ?? timeOf(source);
    const pieces = toPieces(source);
    const contentType = target.contentType ?? pieces.type ?? '';
    const { path } = target;
    if (pieces.size <= SMALL_UPLOAD_BYTES) {
      const bytes = source instanceof Uint8Array ? source : await readAll(pieces);
      return this.#putSmall({ filename, contentType, bytes }, { path, modifiedAt }, options);
    }
    const metadata = { path, filename, filetype: contentType, modifiedAt };
    const sessionId = await createUpload(this.#endpoint, pieces.size, metadata, options);
    await options.onResumeToken?.(writeResumeToken({ sessionId, size: pieces.size }));
    return this.#finish(sessionId, pieces, { ...options, offset: 0 });
  }

  /**
   * Continues an upload, possibly from another run of the program. Bytes that the service has are not sent
   * again.
   * @param token from `onResumeToken`
   * @param source the same bytes as before; only their number is checked
   * @throws HoldallError: `ExpiredError` or `NotFoundError` if the upload is gone: start a new one
   */
  resume(token: string, source: UploadSource, options: SendOptions = {}): Promise<EntryDetails> {
    return this.#finish(readResumeToken(token).sessionId, toPieces(source), options);
  }

  /** The number of bytes of an unfinished upload that the service has. @throws HoldallError */
  offset(token: string, options: CallOptions = {}): Promise<number> {
    const { sessionId, size } = readResumeToken(token);
    return findOffset(this.#endpoint, sessionId, size, options);
  }

  /** Ends an unfinished upload and frees its storage. @throws HoldallError */
  async discard(token: string, options: CallOptions = {}): Promise<void> {
    const path = { sessionId: readResumeToken(token).sessionId };
    const call = { ...options, headers: TUS_HEADERS };
    await this.#requester.open('DELETE /api/v2/files/tus/{sessionId}', { path }, call);
  }

  /** The current size limit of an upload, in bytes; undefined if there is none. @throws HoldallError */
  async maxBytes(options: CallOptions = {}): Promise<number | undefined> {
    const call = { ...options, headers: TUS_HEADERS };
    const response = await this.#requester.open('OPTIONS /api/v2/files/tus', {}, call);
    const size = response.headers.get('tus-max-size');
    return size === null ? undefined : Number(size);
  }

  /**
   * The session of an upload: its status, its progress and, at the end, its `fileId`.
   * @throws HoldallError
   */
  session(sessionId: string, options: CallOptions = {}): Promise<SessionWithRuntime> {
    return this.#requester.ask(
      'GET /api/v2/files/upload-sessions/{sessionId}',
      { path: { sessionId } },
      options,
    );
  }

  /**
   * Announces an upload whose bytes the program sends itself, possibly directly to an object store:
   * `uploadMode` and `strategy` of the session say how. `put` is simpler and works with every store.
   * @throws HoldallError
   */
  createSession(
    body: InputOf<'POST /api/v2/files/upload-sessions'>['body'],
    options: CallOptions = {},
  ): Promise<SessionRecord> {
    return this.#requester.ask('POST /api/v2/files/upload-sessions', { body }, options);
  }

  /** Creates the file of a session whose bytes have arrived; may be repeated. @throws HoldallError */
  completeSession(sessionId: string, options: CallOptions = {}): Promise<SessionRecord> {
    const path = { sessionId };
    return this.#requester.ask('POST /api/v2/files/upload-sessions/{sessionId}/complete', { path }, options);
  }

  /** Ends a session and drops its bytes. @throws HoldallError */
  cancelSession(sessionId: string, options: CallOptions = {}): Promise<SessionRecord> {
    const path = { sessionId };
    return this.#requester.ask('DELETE /api/v2/files/upload-sessions/{sessionId}', { path }, options);
  }

  async #putSmall(
    file: FormFile,
    fields: { readonly path: string | undefined; readonly modifiedAt: string | undefined },
    { onProgress, ...options }: UploadOptions,
  ): Promise<EntryRecord> {
    const totalBytes = file.bytes.length;
    const { body, headers } = writeForm(fields, file);
    onProgress?.({ sentBytes: 0, totalBytes });
    const record = await this.#requester.ask('POST /api/files/upload', { body }, { ...options, headers });
    onProgress?.({ sentBytes: totalBytes, totalBytes });
    return record;
  }

  async #finish(
    sessionId: string,
    source: PieceSource,
    options: SendOptions & { readonly offset?: number },
  ): Promise<EntryDetails> {
    await sendBytes(this.#endpoint, sessionId, source, options);
    const call = { signal: options.signal, timeoutMs: options.timeoutMs };
    const { fileId } = await this.session(sessionId, call);
    if (fileId === null) throw new HoldallError('protocol', 'The upload has ended without a file.');
    return this.#requester.ask('GET /api/v2/files/{fileId}', { path: { fileId } }, call);
  }
}

function tusOfDrive(requester: Requester): TusEndpoint {
  const at = '/api/v2/files/tus';
  return {
    create: (headers, options) => requester.open(`POST ${at}`, {}, { ...options, headers }),
    head: (sessionId, options) => requester.open(`HEAD ${at}/{sessionId}`, { path: { sessionId } }, options),
    patch: (sessionId, body, options) =>
      requester.open(`PATCH ${at}/{sessionId}`, { path: { sessionId }, body }, options),
  };
}

async function readAll(source: PieceSource): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(source.size);
  await source.readPiece(0, bytes);
  return bytes;
}

function toTimestamp(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
