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

/** For how many seconds the service waits for a signal before it returns an empty list. */
const WAIT_SECONDS = 25;

/**
 * Quick transfer: sends files to anyone who has the code. The service stores the files of an OFFLINE transfer
 * for seven days. Those of an ONLINE transfer go directly from one computer to the other, and the service
 * only relays signals.
 *
 * `store`, `sendDirect`, `decrypt`, `openContent` and `receiveDirect` do the same as the web pages. The other
 * methods are single calls of the service.
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
   * const files = [{ name: content.name, content }];
   * const { pickupCode, secret } = await holdall.transfers.store(files, { encrypt: true });
   * ```
   * @throws HoldallError: `OverLimitError`; `TransferFault` if a file changed; the reason of the signal
   */
  store(files: readonly OutgoingFile[], options: StoreOptions = {}): Promise<TransferCode> {
    return storeTransfer(this, files, options);
  }

  /**
   * Waits for someone who enters the code, and sends the files directly. `onEvent` receives the code. Needs
   * no login, unless the files may be stored.
   * @throws HoldallError; `TransferEnded`; `TransferFault`; the reason of the signal
   */
  sendDirect(files: readonly OutgoingFile[], options: SendDirectOptions): Promise<SentBy> {
    return new DirectSender(this, files, options).run();
  }

  /**
   * Opens a transfer from `find`. With the secret, the result has the names and sizes of the files before
   * encryption. An unencrypted transfer is returned unchanged. Takes some tenths of a second.
   * @throws CannotOpen if the secret is wrong or missing, or if a secret was given for an unencrypted
   *   transfer
   */
  decrypt(session: TransferRecord, secret?: string): Promise<OpenedTransfer> {
    return openWith(session, secret);
  }

  /**
   * Begins the download of a file of an OFFLINE transfer. It is decrypted while it is read. Positions and
   * sizes refer to the decrypted content.
   * @param index the index of the file in `session.files`
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
   * @param sinks receives each file in order, from its first to its last byte, after its bytes were checked
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

  /** Finds a transfer by its six-character code. @throws HoldallError: `NotFoundError`, `TooManyError` */
  find(pickupCode: string, options: CallOptions = {}): Promise<DataOf<'GET /api/transfer/sessions/lookup'>> {
    return this.#requester.ask('GET /api/transfer/sessions/lookup', { query: { pickupCode } }, options);
  }

  /**
   * Joins as the receiver. An ONLINE transfer accepts only one.
   * @throws HoldallError: `ConflictError` if someone else was first
   */
  join(sessionId: string, options: CallOptions = {}): Promise<JoinedTransfer> {
    return this.#requester.ask(
      'POST /api/transfer/sessions/{sessionId}/join',
      { path: { sessionId } },
      options,
    );
  }

  /**
   * Frees the receiver's place of an ONLINE transfer, so that its code can be used again. Either side may do
   * it.
   * @throws HoldallError: `ForbiddenError` for a receiver who no longer has the place
   */
  async leave({ sessionId, peerToken }: Peer, options: CallOptions = {}): Promise<void> {
    const operation = 'DELETE /api/v2/transfer/sessions/{sessionId}/receiver';
    const headers = toHeaders(peerToken);
    await this.#requester.ask(operation, { path: { sessionId } }, { ...options, headers });
  }

  /** The user's stored transfers, newest first. @throws HoldallError */
  listOffline(options: CallOptions = {}): Promise<DataOf<'GET /api/transfer/sessions/offline/mine'>> {
    return this.#requester.ask('GET /api/transfer/sessions/offline/mine', {}, options);
  }

  /** Ends a transfer. @param peerToken the sender's token, if there is no login @throws HoldallError */
  async end(sessionId: string, peerToken?: string, options: CallOptions = {}): Promise<void> {
    const headers = peerToken === undefined ? {} : toHeaders(peerToken);
    const path = { sessionId };
    await this.#requester.ask('DELETE /api/transfer/sessions/{sessionId}', { path }, { ...options, headers });
  }

  /**
   * Offers an ONLINE transfer to another device of the same account, so that no one has to type the code
   * there.
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

  /** The ICE servers for `RTCPeerConnection`. @throws HoldallError */
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
   * Yields the signals of the other side as they arrive, endlessly.
   * @param after `cursor` of the last handled signal
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
   * Returns the next signals of the other side. Waits for the first one, up to 25 seconds; then the list is
   * empty.
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

  /** Stores one announced file of an OFFLINE transfer. Sending it again replaces it. @throws HoldallError */
  async upload(sessionId: string, fileId: string, body: RawBody, options: CallOptions = {}): Promise<void> {
    const operation = 'POST /api/transfer/sessions/{sessionId}/files/{fileId}/content';
    // No time limit, because the bytes may take any time.
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
   * source must have the announced size. @throws HoldallError; the reason of the signal
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
   * Begins the download of all files of an unencrypted OFFLINE transfer, as one ZIP archive.
   * @throws HoldallError
   */
  openAll(sessionId: string, options: DownloadOptions = {}): Promise<Download> {
    const operation = 'GET /api/v2/transfer/sessions/{sessionId}/download';
    const path = { sessionId };
    return openDownload((request) => this.#requester.open(operation, { path }, request), options);
  }

  /** Copies a file of an OFFLINE transfer into the user's drive. @throws HoldallError */
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
