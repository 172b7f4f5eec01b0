import type { IncomingHttpHeaders } from 'node:http';
import { type Locker, Server as TusServer } from '@tus/server';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Actor } from '../../drive/drive.ts';
import { ProtocolRefusal } from '../../http/errors/protocol-refusal.ts';
import type { UploadSessions } from '../sessions/upload-sessions.ts';
import { statusAt, type UploadSession } from '../upload-session.ts';
import { CHECKSUM_ALGORITHMS, ChecksumMismatch } from './chunk-checksum.ts';
import { checkRequest, methodOf, readChecksum, textOf, toWebRequest } from './protocol.ts';
import type { ResumableUploads } from './resumable-uploads.ts';
import { TusStore } from './store.ts';

export const TUS_PATH = '/api/v2/files/tus';

/** One request of the protocol. */
export interface TusRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly actor: Actor;
  /** Undefined where uploads are created. */
  readonly sessionId: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** An answer without a body. */
export interface TusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who may write is decided by `WriterLocks`: the newest, at once. */
const NO_LOCKS: Locker = { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) };

/** Resumable uploads as the tus protocol has them: each is an upload session, and has the id of one. */
export class TusEndpoint {
  readonly #sessions: UploadSessions;
  readonly #resumable: ResumableUploads;
  readonly #clock: Clock;
  readonly #baseUrl: string;

  constructor(parts: {
    sessions: UploadSessions;
    resumable: ResumableUploads;
    clock: Clock;
    baseUrl: string;
  }) {
    this.#sessions = parts.sessions;
    this.#resumable = parts.resumable;
    this.#clock = parts.clock;
    this.#baseUrl = parts.baseUrl;
  }

  /** @throws Failure, ProtocolRefusal */
  async answer(request: TusRequest): Promise<TusAnswer> {
    const { headers, actor, sessionId } = request;
    const method = methodOf(request.method, headers);
    checkRequest(method, headers);
    const piece = { source: request.body, checksum: readChecksum(headers) };
    const session = sessionId === undefined ? undefined : await this.#find(actor, sessionId);
    const store = new TusStore({
      sessions: this.#sessions,
      resumable: this.#resumable,
      actor,
      session,
      offset: session === undefined ? 0 : await this.#findOffset(method, actor, session),
      piece,
      clientMetadata: textOf(headers, 'upload-metadata'),
    });
    try {
      const response = await this.#speak(method, request, store);
      return { status: response.status, headers: this.#toHeaders(method, response, store) };
    } catch (error) {
      // A client that is refused its first bytes never hears of the upload, and begins another.
      if (session === undefined && store.session !== undefined) await this.#drop(actor, store.session);
      throw error;
    }
  }

  /** Lets the package do its part. @throws what went wrong in it or in the store */
  async #speak(
    method: string,
    { headers, actor, sessionId }: TusRequest,
    store: TusStore,
  ): Promise<Response> {
    let fault: { readonly error: unknown } | undefined;
    const server = new TusServer({
      path: TUS_PATH,
      datastore: store,
      locker: NO_LOCKS,
      // To be told; what holds is checked when a session is created.
      maxSize: async () =>
        method === 'OPTIONS' ? (await this.#sessions.getLimit(actor.ownerId)).maxBytes : 0,
      namingFunction: () => 'new',
      getFileIdFromRequest: () => sessionId,
      generateUrl: (_request, { id }) => `${this.#baseUrl}${TUS_PATH}/${id}`,
      onResponseError: (_request, error) => {
        fault = { error };
        return undefined;
      },
    });
    // The address only has to be one: which upload is meant is said above.
    const response = await server.handleWeb(toWebRequest(method, `http://localhost${TUS_PATH}`, headers));
    if (fault !== undefined) throw toOwnError(fault.error);
    if (response.status >= 400) throw toRefusal(response.status, await response.text());
    return response;
  }

  #toHeaders(method: string, response: Response, store: TusStore): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of response.headers) {
      // Other origins are let in by the kernel, for all addresses alike.
      if (!name.startsWith('access-control-')) headers[name] = value;
    }
    // OPTIONS tells the algorithms where checksums are offered.
    if (method === 'OPTIONS') headers['tus-checksum-algorithm'] = CHECKSUM_ALGORITHMS.join(',');
    const { session, offset } = store;
    if (session === undefined || method === 'DELETE') return headers;
    // An unfinished upload that will expire says when, at its creation and with every PATCH.
    if (offset < session.size) headers['upload-expires'] = new Date(session.expiresAt).toUTCString();
    // HEAD gives back what was said of the file at its creation, as it was said.
    if (method === 'HEAD' && session.clientMetadata !== null) {
      headers['upload-metadata'] = session.clientMetadata;
    }
    return headers;
  }

  async #find(actor: Actor, id: string): Promise<UploadSession> {
    const session = await this.#sessions.get(actor.ownerId, id);
    const status = statusAt(session, this.#clock.now());
    // An upload that is gone is 404 or 410: the latter where the server still knows that there was one.
    if (status === 'EXPIRED' || status === 'CANCELLED' || status === 'FAILED') {
      throw new Failure('expired', `This upload is gone: it is ${status}.`);
    }
    return session;
  }

  async #findOffset(method: string, actor: Actor, session: UploadSession): Promise<number> {
    if (method === 'HEAD') return await this.#resumable.getOffset(actor, session);
    return session.status === 'COMPLETED' ? session.size : session.received.size;
  }

  async #drop(actor: Actor, { id }: UploadSession): Promise<void> {
    await this.#sessions.cancel(actor.ownerId, id).catch(() => undefined);
  }
}

function toOwnError(error: unknown): unknown {
  // An own status of the checksum extension, for bytes that are not those that were meant.
  if (error instanceof ChecksumMismatch) return new ProtocolRefusal(460, error.message);
  if (error instanceof Error) return error;
  // The package throws plain objects.
  const { status_code: status, body } = error as { status_code: number; body: string };
  return toRefusal(status, body);
}

/** What is wrong with the request as such is 400 here, whatever else the package calls it. */
function toRefusal(status: number, text: string): ProtocolRefusal {
  const isOwn = [404, 409, 410, 413].includes(status);
  return new ProtocolRefusal(isOwn ? status : 400, text.trim());
}
