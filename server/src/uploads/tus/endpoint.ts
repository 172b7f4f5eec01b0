import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { toHttpDate } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { type NewFile, toNewFile } from '../../drive/drive.ts';
import { ProtocolError } from '../../http/errors/protocol-error.ts';
import type { UploadSessions } from '../sessions/upload-sessions.ts';
import { ReplacedByNewer } from '../sessions/writer-locks.ts';
import type { UploadDestination } from '../upload-destination.ts';
import { expiryAfterProgress, statusAt, type UploadSession } from '../upload-session.ts';
import { CHECKSUM_ALGORITHMS } from './chunk-checksum.ts';
import {
  checkContentLength,
  checkRequest,
  hasChunk,
  methodOf,
  readByteCount,
  readChecksum,
  readMetadata,
  TUS_VERSION,
  type UploadMetadata,
} from './request-headers.ts';
import type { ResumableUploads } from './resumable-uploads.ts';

const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];

interface TusRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly destination: UploadDestination;
  /** The address of the upload with that id, for the requests that follow. */
  readonly addressOf: (sessionId: string) => string;
  /** Undefined for a request to the address at which uploads are created. */
  readonly sessionId: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A response without a body. */
interface TusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface TusEndpointParts {
  readonly sessions: UploadSessions;
  readonly resumable: ResumableUploads;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/**
 * Resumable uploads with the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). Each upload is a
 * PROXY upload session, and has the session's id.
 */
export class TusEndpoint {
  readonly #parts: TusEndpointParts;

  constructor(parts: TusEndpointParts) {
    this.#parts = parts;
  }

  /** @throws Failure, ProtocolError */
  async answer(request: TusRequest): Promise<TusAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      // The request itself is correct. After a 423, clients ask for the offset and continue. After another
      // status below 500 they give up or start a second upload.
      if (error instanceof ReplacedByNewer) throw new ProtocolError(423, error.message);
      throw request.destination.toClientError(error);
    }
  }

  async #answer(request: TusRequest): Promise<TusAnswer> {
    const { destination, headers, sessionId } = request;
    const method = methodOf(request.method, headers);
    checkRequest(method, headers);
    const session = sessionId === undefined ? undefined : await this.#getSession(destination, sessionId);
    if (method === 'OPTIONS') return await this.#describe(destination);
    if (method === 'POST') return await this.#create(request);
    if (session !== undefined) {
      if (method === 'HEAD') return await this.#report(destination, session);
      if (method === 'PATCH') return await this.#append(request, session);
      if (method === 'DELETE') return await this.#terminate(destination, session);
    }
    throw new Failure('not-found', `${method} is not supported at this address.`);
  }

  async #describe(destination: UploadDestination): Promise<TusAnswer> {
    const maxBytes = await destination.findPublicLimit();
    return {
      status: 204,
      headers: {
        'tus-version': TUS_VERSION,
        'tus-extension': EXTENSIONS.join(','),
        'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
        // Never sent as 0, which would mean that the limit is unknown.
        ...(maxBytes && { 'tus-max-size': `${maxBytes}` }),
      },
    };
  }

  async #create({ headers, destination, addressOf, body }: TusRequest): Promise<TusAnswer> {
    const size = readByteCount(headers, 'Upload-Length');
    const metadata = readMetadata(headers);
    const checksum = readChecksum(headers);
    const isWithUpload = hasChunk(headers);
    if (isWithUpload) checkContentLength(headers, size);
    const file = readNewFile(metadata);
    const sender = destination.readSender(metadata.find);
    const announcement = { kind: 'SESSION', file, size, sender, clientMetadata: metadata.text } as const;
    const session = await this.#parts.sessions.create(destination, announcement, 'PROXY');
    let offset = 0;
    try {
      // An empty file is already complete: the client sends no further request.
      if (isWithUpload || size === 0) {
        offset = await this.#parts.resumable.append(destination, session, {
          offset: 0,
          source: body,
          checksum,
        });
      }
    } catch (error) {
      // The client does not get the address of this upload, so it can only create another one.
      await this.#parts.sessions.cancel(destination, session.id).catch(() => undefined);
      throw error;
    }
    return {
      status: 201,
      headers: {
        location: `${this.#parts.baseUrl}${addressOf(session.id)}`,
        ...(isWithUpload && { 'upload-offset': `${offset}` }),
        ...expiryHeader(this.#afterProgress(session, offset), offset),
      },
    };
  }

  async #report(destination: UploadDestination, session: UploadSession): Promise<TusAnswer> {
    const offset = await this.#parts.resumable.getOffset(destination, session);
    const { size, clientMetadata } = session;
    return {
      status: 200,
      headers: {
        'cache-control': 'no-store',
        'upload-offset': `${offset}`,
        'upload-length': `${size}`,
        ...(clientMetadata !== null && { 'upload-metadata': clientMetadata }),
        ...expiryHeader(session, offset),
      },
    };
  }

  async #append({ headers, destination, body }: TusRequest, session: UploadSession): Promise<TusAnswer> {
    const { size, status, received } = session;
    const checksum = readChecksum(headers);
    const sentOffset = readByteCount(headers, 'Upload-Offset');
    let offset = status === 'COMPLETED' ? size : received.size;
    // `append` checks this as well. Checked early so that an outdated offset does not interrupt the running
    // request.
    if (sentOffset !== offset) {
      throw new Failure('conflict', `The upload continues at ${offset}, not at ${sentOffset}.`);
    }
    checkContentLength(headers, size - offset);
    // If a response was lost, a client may repeat the end of a complete upload with an empty PATCH.
    if (status !== 'COMPLETED') {
      offset = await this.#parts.resumable.append(destination, session, { offset, source: body, checksum });
    }
    return {
      status: 204,
      headers: {
        'upload-offset': `${offset}`,
        ...expiryHeader(this.#afterProgress(session, offset), offset),
      },
    };
  }

  /** The session after this request, for the new expiry in the response. */
  #afterProgress(session: UploadSession, offset: number): UploadSession {
    if (offset <= session.received.size) return session;
    return { ...session, expiresAt: expiryAfterProgress(session, this.#parts.clock.now()) };
  }

  async #terminate(destination: UploadDestination, session: UploadSession): Promise<TusAnswer> {
    await this.#parts.sessions.cancel(destination, session.id);
    return { status: 204, headers: {} };
  }

  /** @throws Failure `not-found`; `expired` (410) for an upload that ended without a file */
  async #getSession(destination: UploadDestination, id: string): Promise<UploadSession> {
    const session = await this.#parts.sessions.get(destination, id);
    const status = statusAt(session, this.#parts.clock.now());
    if (status === 'EXPIRED' || status === 'CANCELLED' || status === 'FAILED') {
      throw new Failure('expired', `This upload is gone: it is ${status}.`);
    }
    return session;
  }
}

/** @throws Failure `invalid` when the name is missing, or is not a valid name */
function readNewFile(metadata: UploadMetadata): NewFile {
  const filename = metadata.find('filename') || metadata.find('name');
  if (!filename) throw new Failure('invalid', 'Upload-Metadata must have a filename.');
  return toNewFile({
    path: metadata.find('path') || undefined,
    filename,
    contentType: metadata.find('filetype') || metadata.find('contentType'),
    modifiedAt: metadata.find('modifiedAt'),
  });
}

/** The header `Upload-Expires`, which only unfinished uploads have. */
function expiryHeader({ size, expiresAt }: UploadSession, offset: number): Record<string, string> {
  return offset < size ? { 'upload-expires': toHttpDate(expiresAt) } : {};
}
