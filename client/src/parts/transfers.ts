import { type Download, type DownloadOptions, openDownload } from '../downloads/download.ts';
import type {
  EntryRecord,
  IceServers,
  JoinedTransfer,
  SignalRecord,
  TransferRecord,
} from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf, InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import type { RawBody } from '../shapes/raw-body.ts';
import type { FileSinks } from '../transfer/blocks/file-sink.ts';
import type { DirectOptions } from '../transfer/flow/direct-options.ts';
import { DirectReceiver } from '../transfer/flow/direct-receiver.ts';
import { DirectSender, type SendDirectOptions, type SentBy } from '../transfer/flow/direct-sender.ts';
import { openContent } from '../transfer/flow/open-content.ts';
import type { OutgoingFile } from '../transfer/flow/outgoing-file.ts';
import { type StoreOptions, storeTransfer } from '../transfer/flow/store-transfer.ts';
import type { Peer } from '../transfer/flow/transfer-calls.ts';
import type { TransferCode } from '../transfer/flow/transfer-event.ts';
import { type OpenedTransfer, openWith } from '../transfer/session/opened-transfer.ts';
import {
  createUpload,
  type SendOptions,
  sendBytes,
  TUS_HEADERS,
  type TusEndpoint,
} from '../uploads/tus-upload.ts';
import { toPieces, type UploadSource } from '../uploads/upload-source.ts';
import type { ConflictRule } from './drive.ts';

const TUS_OF_FILE = '/api/v2/transfer/sessions/{transferId}/files/{fileId}/tus';

/** Seconds that the service waits for a signal before it answers that there is none. */
const WAIT_SECONDS = 25;

/**
 * Quick transfer: sends files to somebody who has the code. The service stores the files of an OFFLINE
 * transfer for seven days. Those of an ONLINE transfer go from one computer to the other, and the service
 * only passes signals on.
 *
 * `store`, `sendDirect`, `decrypt`, `openContent` and `receiveDirect` do what the pages do. The other methods
 * are the single calls of the service.
 */
export class Transfers {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Stores files on the service for seven days. Needs a login.
   *
   * ```ts
   * const content = await openFile('letter.pdf');
   * const { pickupCode, secret } = await holdall.transfers.store([{ name: content.name, content }], { encrypt: true });
   * ```
   * @throws HoldallError: `OverLimitError`; `TransferFault` if a file changed; the reason of the signal
   */
  store(files: readonly OutgoingFile[], options: StoreOptions = {}): Promise<TransferCode> {
    return storeTransfer(this, files, options);
  }

  /**
   * Waits for somebody who enters the code, and sends the files directly. `onEvent` gets the code. Works
   * without a login, unless the files may be stored.
   * @throws HoldallError; `TransferEnded`; `TransferFault`; the reason of the signal
   */
  sendDirect(files: readonly OutgoingFile[], options: SendDirectOptions): Promise<SentBy> {
    return new DirectSender(this, files, options).run();
  }

  /**
   * Opens what `find` has found: with the secret, the names and sizes of the files become those before
   * encryption. Without a secret, a transfer that is not encrypted stays as it is. Takes some tenths of a
   * second.
   * @throws CannotOpen if the secret is wrong or missing, or if there is one and the transfer is not
   * encrypted
   */
  decrypt(session: TransferRecord, secret?: string): Promise<OpenedTransfer> {
    return openWith(session, secret);
  }

  /**
   * Begins the download of a file of an OFFLINE transfer. It is decrypted as it is read. Positions and sizes
   * are those of the content.
   * @param index of the file in `session.files`
   * @throws HoldallError; reading throws `TransferFault` for bytes that do not decrypt
   */
  openContent(
    opened: OpenedTransfer,
    index: number,
    options: Pick<DownloadOptions, 'start' | 'etag' | 'signal'> = {},
  ): Promise<Download> {
    return openContent(this, opened, index, options);
  }

  /**
   * Joins an ONLINE transfer and receives its files, one after another. If there is no direct connection and
   * the sender stores the files, the rest is downloaded.
   * @param sinks gets each file from its first to its last byte, in order, after its bytes were checked
   * @throws HoldallError; `TransferEnded`; `TransferFault`; the reason of the signal
   */
  receiveDirect(opened: OpenedTransfer, sinks: FileSinks, options: DirectOptions): Promise<void> {
    return new DirectReceiver(this, opened, sinks, options).run();
  }

  /** Announces files. OFFLINE needs a login. @throws HoldallError: `OverLimitError` */
  create(
    body: InputOf<'POST /api/transfer/sessions'>['body'],
    options: CallOptions = {},
  ): Promise<DataOf<'POST /api/transfer/sessions'>> {
    return this.#requester.ask('POST /api/transfer/sessions', { body }, options);
  }

  /** Finds a transfer by its code of six characters. @throws HoldallError: `NotFoundError`, `TooManyError` */
  find(pickupCode: string, options: CallOptions = {}): Promise<DataOf<'GET /api/transfer/sessions/lookup'>> {
    return this.#requester.ask('GET /api/transfer/sessions/lookup', { query: { pickupCode } }, options);
  }

  /**
   * Joins as the receiver; of an ONLINE transfer only the first one can.
   * @throws HoldallError: `ConflictError` if somebody else was first
   */
  join(sessionId: string, options: CallOptions = {}): Promise<JoinedTransfer> {
    return this.#requester.ask(
      'POST /api/transfer/sessions/{sessionId}/join',
      { path: { sessionId } },
      options,
    );
  }

  /**
   * Gives the receiver's place of an ONLINE transfer back, so that its code can be used again. Either side
   * may do it.
   * @throws HoldallError: `ForbiddenError` for a receiver who has no place any more
   */
  async leave({ sessionId, peerToken }: Peer, options: CallOptions = {}): Promise<void> {
    const operation = 'DELETE /api/v2/transfer/sessions/{sessionId}/receiver';
    const headers = toHeaders(peerToken);
    await this.#requester.ask(operation, { path: { sessionId } }, { ...options, headers });
  }

  /** The own stored transfers, newest first. @throws HoldallError */
  listOffline(options: CallOptions = {}): Promise<DataOf<'GET /api/transfer/sessions/offline/mine'>> {
    return this.#requester.ask('GET /api/transfer/sessions/offline/mine', {}, options);
  }

  /** Ends a transfer. @param peerToken of the sender, if there is no login @throws HoldallError */
  async end(sessionId: string, peerToken?: string, options: CallOptions = {}): Promise<void> {
    const headers = peerToken === undefined ? {} : toHeaders(peerToken);
    const path = { sessionId };
    await this.#requester.ask('DELETE /api/transfer/sessions/{sessionId}', { path }, { ...options, headers });
  }

  /**
   * Offers an ONLINE transfer to another device of the own account, which then need not type the code.
   * @param loginSession `id` of a session of `Account.sessions`
   * @throws HoldallError
   */
  async offer(sessionId: string, loginSession: string, options: CallOptions = {}): Promise<void> {
    const input = { path: { sessionId }, body: { session: loginSession } };
    await this.#requester.ask('POST /api/v2/transfer/sessions/{sessionId}/offer', input, options);
  }

  /** Declines a transfer that was offered to this device. @throws HoldallError */
  async decline(sessionId: string, options: CallOptions = {}): Promise<void> {
    const path = { sessionId };
    await this.#requester.ask('DELETE /api/v2/transfer/sessions/{sessionId}/offer', { path }, options);
  }

  /** Servers for `RTCPeerConnection`. @throws HoldallError */
  iceServers(sessionId?: string, options: CallOptions = {}): Promise<IceServers> {
    return this.#requester.ask('GET /api/transfer/ice-servers', { query: { sessionId } }, options);
  }

  /** Sends a signal to the other side. @param payload any JSON, at most 64 KiB @throws HoldallError */
  signal(
    { sessionId, peerToken }: Peer,
    type: string,
    payload: unknown,
    options: CallOptions = {},
  ): Promise<SignalRecord> {
    const input = { path: { sessionId }, body: { type, payload } };
    return this.#requester.ask('POST /api/transfer/sessions/{sessionId}/signals', input, {
      ...options,
      headers: toHeaders(peerToken),
    });
  }

  /**
   * What the other side sends, without end, as it arrives.
   * @param after `cursor` of the last signal that was dealt with
   * @throws HoldallError: `NotFoundError` when the transfer has ended; the reason of the signal
   */
  async *signals(
    { sessionId, peerToken }: Peer,
    after = 0,
    options: CallOptions = {},
  ): AsyncGenerator<SignalRecord, void, undefined> {
    for (let cursor = after; ; ) {
      const { items, nextCursor } = await this.signalsAfter({ sessionId, peerToken }, cursor, options);
      yield* items;
      cursor = nextCursor;
    }
  }

  /**
   * The next signals of the other side. Waits for the first one, and gives an empty list after 25 seconds.
   * @throws HoldallError: `NotFoundError` when the transfer has ended
   */
  signalsAfter(
    { sessionId, peerToken }: Peer,
    cursor: number,
    options: CallOptions = {},
  ): Promise<DataOf<'GET /api/transfer/sessions/{sessionId}/signals'>> {
    const input = { path: { sessionId }, query: { after: cursor, waitSeconds: WAIT_SECONDS } };
    const operation = 'GET /api/transfer/sessions/{sessionId}/signals';
    return this.#requester.ask(operation, input, { ...options, headers: toHeaders(peerToken) });
  }

  /** Stores one announced file of an OFFLINE transfer; sent again, it is replaced. @throws HoldallError */
  async upload(sessionId: string, fileId: string, body: RawBody, options: CallOptions = {}): Promise<void> {
    const operation = 'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content';
    // The bytes take as long as they take.
    const timeoutMs = options.timeoutMs ?? 0;
    const headers = { 'content-type': 'application/octet-stream' };
    await this.#requester.ask(
      operation,
      { path: { sessionId, fileId }, body },
      { ...options, timeoutMs, headers },
    );
  }

  /**
   * Stores one announced file of an OFFLINE transfer in pieces, and retries after temporary errors. The
   * source has the announced size. @throws HoldallError; the reason of the signal
   */
  async put(
    sessionId: string,
    fileId: string,
    source: UploadSource,
    options: SendOptions = {},
  ): Promise<void> {
    const pieces = toPieces(source);
    const path = { transferId: sessionId, fileId };
    const endpoint = this.#tusOf(path);
    // The service takes the name from the announcement.
    const upload = await createUpload(endpoint, pieces.size, { filename: fileId }, options);
    try {
      await sendBytes(endpoint, upload, pieces, { ...options, offset: 0 });
    } catch (error) {
      const operation = `DELETE ${TUS_OF_FILE}/{sessionId}` as const;
      const request = { path: { ...path, sessionId: upload } };
      await this.#requester.open(operation, request, { headers: TUS_HEADERS }).catch(() => undefined);
      throw error;
    }
  }

  #tusOf(path: { readonly transferId: string; readonly fileId: string }): TusEndpoint {
    return {
      create: (headers, options) =>
        this.#requester.open(`POST ${TUS_OF_FILE}`, { path }, { ...options, headers }),
      head: (sessionId, options) =>
        this.#requester.open(`HEAD ${TUS_OF_FILE}/{sessionId}`, { path: { ...path, sessionId } }, options),
      patch: (sessionId, body, options) =>
        this.#requester.open(
          `PATCH ${TUS_OF_FILE}/{sessionId}`,
          { path: { ...path, sessionId }, body },
          options,
        ),
    };
  }

  /** Begins the download of a file of an OFFLINE transfer. @throws HoldallError */
  open(sessionId: string, fileId: string, options: DownloadOptions = {}): Promise<Download> {
    const operation = 'GET /api/transfer/sessions/{sessionId}/files/{fileId}/download';
    const path = { sessionId, fileId };
    return openDownload((request) => this.#requester.open(operation, { path }, request), options);
  }

  /**
   * Begins the download of all files of an OFFLINE transfer that is not encrypted, as one ZIP.
   * @throws HoldallError
   */
  openAll(sessionId: string, options: DownloadOptions = {}): Promise<Download> {
    const operation = 'GET /api/v2/transfer/sessions/{sessionId}/download';
    const path = { sessionId };
    return openDownload((request) => this.#requester.open(operation, { path }, request), options);
  }

  /** Copies a file of an OFFLINE transfer into the own drive. @throws HoldallError */
  import(
    sessionId: string,
    fileId: string,
    path = '/',
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    const operation = 'POST /api/transfer/sessions/{sessionId}/files/{fileId}/import';
    const input = { path: { sessionId, fileId }, body: { path, onConflict } };
    return this.#requester.ask(operation, input, options);
  }
}

function toHeaders(peerToken: string): Readonly<Record<string, string>> {
  return { 'x-transfer-token': peerToken };
}
