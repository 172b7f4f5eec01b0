import { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { Failure } from '../../base/failure.ts';
import type { Actor } from '../../drive/drive.ts';
import { toNewFile } from '../../drive/drive.ts';
import type { UploadSessions } from '../sessions/upload-sessions.ts';
import type { UploadSession } from '../upload-session.ts';
import type { ResumableUploads, UploadChunk } from './resumable-uploads.ts';

/**
 * What one request of the tus protocol does to upload sessions, as `@tus/server` asks for it.
 *
 * The bytes do not pass that package: it would turn the request into a web stream, that into a Node stream again, and
 * send it through two more. It is given a request without a body, and the store takes the body off the wire.
 */
export class TusStore extends DataStore {
  readonly #sessions: UploadSessions;
  readonly #resumable: ResumableUploads;
  readonly #actor: Actor;
  readonly #piece: Omit<UploadChunk, 'offset'>;
  readonly #clientMetadata: string | undefined;
  #isFile: boolean;
  /** The one that is asked for, or was created. */
  session: UploadSession | undefined;
  /** Where the client goes on. */
  offset: number;

  constructor(parts: {
    sessions: UploadSessions;
    resumable: ResumableUploads;
    actor: Actor;
    session: UploadSession | undefined;
    offset: number;
    piece: Omit<UploadChunk, 'offset'>;
    clientMetadata: string | undefined;
  }) {
    super();
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
    this.#sessions = parts.sessions;
    this.#resumable = parts.resumable;
    this.#actor = parts.actor;
    this.#piece = parts.piece;
    this.#clientMetadata = parts.clientMetadata;
    this.session = parts.session;
    this.offset = parts.offset;
    this.#isFile = parts.session?.status === 'COMPLETED';
  }

  override async create(upload: Upload): Promise<Upload> {
    const { metadata = {}, size } = upload;
    const filename = metadata.filename ?? metadata.name;
    if (!filename) throw new Failure('invalid', 'Upload-Metadata must have a filename.');
    if (size === undefined) throw new Failure('invalid', 'Upload-Length is missing.');
    const place = toNewFile({
      path: metadata.path ?? undefined,
      filename,
      contentType: metadata.filetype ?? metadata.contentType,
    });
    const announcement = { kind: 'SESSION', place, size, clientMetadata: this.#clientMetadata } as const;
    this.session = await this.#sessions.create(this.#actor.ownerId, announcement, 'PROXY');
    upload.id = this.session.id;
    // A file without bytes is whole from the beginning: no other request comes.
    if (size === 0) await this.#append(this.session, 0, Readable.from([]));
    return upload;
  }

  override async getUpload(): Promise<Upload> {
    const { id, size } = this.#get();
    return new Upload({ id, size, offset: this.offset });
  }

  override async write(noBytes: Readable, _id: string, offset: number): Promise<number> {
    noBytes.resume();
    const session = this.#get();
    // A client that did not hear of the end says once more that there is nothing to add.
    if (this.#isFile) return this.offset;
    await this.#append(session, offset, this.#piece.source);
    return this.offset;
  }

  override async remove(): Promise<void> {
    this.session = await this.#sessions.cancel(this.#actor.ownerId, this.#get().id);
  }

  /** Uploads expire by our own clock: tus-endpoint.ts tells when. */
  override getExpiration(): number {
    return 0;
  }

  async #append(session: UploadSession, offset: number, source: UploadChunk['source']): Promise<void> {
    this.offset = await this.#resumable.append(this.#actor, session, { ...this.#piece, offset, source });
    this.#isFile = this.offset === session.size;
  }

  #get(): UploadSession {
    if (this.session === undefined) throw new Error('No upload session was asked for.');
    return this.session;
  }
}
