import type { TransferForPeer } from '../../../../../client/src/client.ts';
import { BlockPlan } from '../../../../../client/src/transfer/blocks/block-plan.ts';
import { type Outgoing, sendBlocks } from '../../../../../client/src/transfer/blocks/send-blocks.ts';
import { encodeMessage } from '../../../../../client/src/transfer/blocks/wire.ts';
import {
  agreeOnWords,
  GreetingLine,
  provePeers,
} from '../../../../../client/src/transfer/connection/greeting.ts';
import { type Line, LineBroken, toFault } from '../../../../../client/src/transfer/connection/line.ts';
import { PeerLink } from '../../../../../client/src/transfer/connection/peer-link.ts';
import { readName } from '../../../../../client/src/transfer/connection/peer-name.ts';
import type { Rendezvous, Signal } from '../../../../../client/src/transfer/connection/rendezvous.ts';
import type { HiddenName } from '../../../../../client/src/transfer/encryption/names.ts';
import type { Fingerprints } from '../../../../../client/src/transfer/encryption/peer-proof.ts';
import {
  FOLLOWS_WITHIN_MS,
  RENEWAL_LEAD_MS,
  STORED_PROGRESS_MS,
} from '../../../../../client/src/transfer/flow/direct-times.ts';
import { ReceiverWatch } from '../../../../../client/src/transfer/flow/receiver-watch.ts';
import {
  type SealedTransfer,
  sealTransfer,
} from '../../../../../client/src/transfer/session/sealed-transfer.ts';
import { ask } from '../../../api/ask.ts';
import { currentSession } from '../../../api/session.ts';
import { pause } from '../../../common/timing/pause.ts';
import { openRendezvous } from '../connection/open-rendezvous.ts';
import { hasRelay } from '../connection/relays.ts';
import { readFallback } from './fallback-choice.ts';
import type { ChosenFile, ReadableFile } from './files/chosen-files.ts';
import { readPart, toAnnounced, toShown } from './files/outgoing-files.ts';
import { takeSecret } from './next-secret.ts';
import { whenPageEnds } from './page-end.ts';
import {
  type Announcement,
  createSession,
  endOf,
  endSession,
  findIceServers,
  freePlace,
  offerSession,
} from './sessions.ts';
import { type Ending, TransferStore } from './state/transfer-state.ts';
import { stayAwake } from './stay-awake.ts';
import { storeFiles } from './stored/store-files.ts';
import { plainSources, sealedSources } from './stored/upload-sources.ts';

/**
 * Sends files to anyone who enters the code. Independent of the shown page, so it continues while the user
 * navigates.
 */
export class Sending {
  readonly store: TransferStore;
  readonly #files: readonly ReadableFile[];
  readonly #announced: readonly HiddenName[];
  readonly #isEncrypted: boolean;
  #sealing: Promise<SealedTransfer> | undefined;
  readonly #outgoing: Outgoing;
  readonly #stop = new AbortController();
  #sessions: TransferForPeer[] = [];
  #rendezvous: Rendezvous | undefined;
  #link: PeerLink | undefined;
  #line: Line | undefined;
  readonly #watch = new ReceiverWatch({
    onTooLong: () => this.#handleTooLong(),
    onSilence: () => void this.#releaseReceiver(),
  });
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #isSessionGone = false;
  #allowSleep: (() => void) | undefined;
  #stopWatchingPage: (() => void) | undefined;
  /** Resolves when the receiver knows the stored session and needs no more signals. */
  readonly #receiverFollowed = Promise.withResolvers<void>();
  #stored: TransferForPeer | undefined;
  /** Stops an upload that started without asking the user, if its receiver leaves. */
  #unasked: AbortController | undefined;
  /** When each session ends, by this machine's clock. */
  readonly #ends = new Map<string, number>();

  constructor(chosen: readonly ChosenFile[], isEncrypted: boolean) {
    this.#isEncrypted = isEncrypted;
    this.#files = chosen.map(({ file }) => file);
    this.#announced = toAnnounced(chosen);
    const files = toShown(this.#announced);
    this.store = new TransferStore(files);
    const plan = new BlockPlan(files.map(({ size }) => size));
    this.#outgoing = {
      plan,
      digests: new Map(),
      read: (index, start, end) => readPart(this.#files[index], start, end),
      onConfirmed: (step) => {
        this.store.progress(() => plan.sizes.map((_, file) => plan.bytesOfFileBefore(file, step)));
      },
    };
  }

  /** Creates the code and waits for the receiver. */
  async start(): Promise<void> {
    this.#allowSleep = stayAwake();
    // Closing the page loses the files, so the code becomes useless.
    this.#stopWatchingPage = whenPageEnds(() => this.#endSessions({ keepalive: true }));
    try {
      const session = await createSession('ONLINE', await this.#announce());
      if (this.store.isOver)
        return void endSession(session.sessionId, session.peerToken).catch(() => undefined);
      this.store.enter('made', { pickupCode: session.pickupCode, expiresAt: endOf(session) });
      this.#follow(session);
    } catch (error) {
      this.#end({ kind: 'failed', error });
    }
  }

  /**
   * Uploads the files to the service, which stores them for seven days. Used if the user wants that, or if
   * there is no direct connection.
   * @param isAsked whether the user decided this for this transfer. If not, they are stored only for a
   * receiver.
   * @throws HoldallError if the service rejects it; then nothing has changed
   */
  async startStoring({ isAsked = true } = {}): Promise<void> {
    if (this.store.isOver || this.store.snapshot().isStoring) return;
    this.store.change({ isStoring: true });
    try {
      const session = await createSession('OFFLINE', await this.#announce());
      const hasReceiver = this.store.phase !== 'waiting' && this.store.phase !== 'preparing';
      if (!(isAsked || hasReceiver) || !this.store.enter('store')) {
        return void endSession(session.sessionId).catch(() => undefined);
      }
      this.#unasked = isAsked ? undefined : new AbortController();
      this.#allowSleep ??= stayAwake();
      this.#watch.stop();
      this.#link?.stop();
      // No receiver needs the old code any more. The stored session has a new one.
      if (!hasReceiver) this.#endSessions();
      this.#stored = session;
      await this.#store(session);
    } finally {
      this.store.change({ isStoring: false });
    }
  }

  /**
   * Asks another device of the user to receive the files, as long as no one has entered the code.
   * @param device the id of its login session
   * @throws HoldallError 404 if the device is no longer online
   */
  async offerTo(device: string, name: string): Promise<void> {
    if (this.store.phase !== 'waiting' || this.#rendezvous === undefined) return;
    await offerSession(this.#rendezvous.sessionId, device);
    this.store.change({ offer: { device: name, isDeclined: false } });
  }

  /**
   * Records that the user does not want to store the files. The pages keep trying to connect without asking.
   */
  refuseStoring(): void {
    this.store.change({ refusesStoring: true });
  }

  cancel(): void {
    this.#end({ kind: 'cancelled' });
  }

  /** All sessions of this transfer announce the same files, so they share one secret and salt. */
  async #announce(): Promise<Announcement> {
    if (!this.#isEncrypted) return { files: [...this.#announced] };
    this.#sealing ??= sealTransfer(this.#announced, takeSecret());
    const { secret, announcement } = await this.#sealing;
    if (this.store.snapshot().secret === undefined) this.store.change({ secret });
    return announcement;
  }

  #follow(session: TransferForPeer): void {
    const rendezvous = openRendezvous(session, ask);
    this.#sessions.push(session);
    this.#ends.set(session.sessionId, endOf(session));
    const isFirst = this.#rendezvous === undefined;
    if (isFirst) this.#use(rendezvous);
    const life = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
    this.#renewal = setTimeout(() => void this.#renewSession(), Math.max(0, life - RENEWAL_LEAD_MS));
    void rendezvous
      .follow((signal) => this.#handleSignal(signal, rendezvous), this.#stop.signal)
      .then((end) => end === 'gone' && rendezvous === this.#rendezvous && this.#onSessionGone());
  }

  #use(rendezvous: Rendezvous): void {
    this.#rendezvous = rendezvous;
    const name = currentSession()?.user.displayName;
    if (name !== undefined) void rendezvous.sendSignal('hello', { name });
  }

  #handleSignal({ type, payload }: Signal, rendezvous: Rendezvous): void {
    if (type === 'peer-left') {
      if (rendezvous === this.#rendezvous) this.#handlePeerLeft();
      return;
    }
    this.#watch.noteSignal();
    if (type === 'peer-joined') {
      // This session is new or has replaced the earlier one, or another receiver has come.
      if (rendezvous !== this.#rendezvous || this.store.snapshot().hasPeerLeft) this.#use(rendezvous);
      if (this.store.enter('joined', { hasPeerLeft: false })) this.#connect();
    } else if (type === 'hello') this.store.change({ peerName: readName(payload) });
    else if (type === 'declined') this.#noteDeclined();
    else if (type === 'following') this.#receiverFollowed.resolve();
    else if (type === 'done') this.#finish();
    else if (type === 'cancel') this.#end({ kind: 'cancelled-there' });
    else if (type === 'failed') this.#end({ kind: 'failed', error: toFault(String(payload)) });
    else this.#link?.handleSignal(type, payload);
  }

  #noteDeclined(): void {
    const { offer } = this.store.snapshot();
    if (offer !== undefined) this.store.change({ offer: { ...offer, isDeclined: true } });
  }

  #connect(): void {
    const { sessionId = '' } = this.#rendezvous ?? {};
    this.#link = new PeerLink({
      role: 'sender',
      connect: (iceServers) => new RTCPeerConnection({ iceServers }),
      findIceServers: async () => {
        const servers = await findIceServers(this.#rendezvous?.sessionId ?? sessionId);
        this.store.change({ hasRelay: hasRelay(servers) });
        return servers;
      },
      sendSignal: (type, payload) => void this.#rendezvous?.sendSignal(type, payload),
      onLine: (line, seen) => void this.#send(line, seen),
      lastAttempt: this.#link?.lastAttempt,
    });
    this.#watch.start();
    void this.#link.start();
  }

  async #send(line: Line, seen: Fingerprints | undefined): Promise<void> {
    this.#line = line;
    this.#watch.stop();
    this.store.enter('opened');
    try {
      const greeting = new GreetingLine(line);
      await this.#greet(greeting, seen);
      await sendBlocks(greeting, this.#outgoing);
      this.#finish();
    } catch (error) {
      if (!(error instanceof LineBroken)) this.#end({ kind: 'failed', error });
      else if (this.#line === line && this.store.enter('lost')) this.#watch.start();
      if (this.#isSessionGone && this.store.phase === 'mending') this.#end({ kind: 'gone' });
    }
  }

  async #greet(line: GreetingLine, seen: Fingerprints | undefined): Promise<void> {
    if (!this.#isEncrypted) {
      this.store.change({ words: await agreeOnWords(line, 'sender', seen) });
      return;
    }
    this.#sealing ??= sealTransfer(this.#announced, takeSecret());
    const { keys } = await this.#sealing;
    await provePeers(line, 'sender', await keys.ofPeer(), seen);
  }

  #handleTooLong(): void {
    if (!this.store.enter('tooLong')) return;
    const mayStore = readFallback() === 'store' && !this.store.snapshot().refusesStoring;
    if (!mayStore || currentSession() === undefined) return;
    // If this fails, the page shows what the user can do.
    void this.startStoring({ isAsked: false }).catch(() => undefined);
  }

  #currentSession(): TransferForPeer | undefined {
    return this.#sessions.find(({ sessionId }) => sessionId === this.#rendezvous?.sessionId);
  }

  /** Frees the place of a receiver whose page no longer answers. */
  async #releaseReceiver(): Promise<void> {
    const link = this.#link;
    if (!(await freePlace(this.#currentSession()))) this.#watch.waitAgain();
    // If the link is another one, another receiver has come meanwhile.
    else if (link === this.#link) this.#handlePeerLeft();
  }

  /** Waits for another receiver with the same code. Storing continues if the user has decided to store. */
  #handlePeerLeft(): void {
    if (this.store.phase === 'storing' && this.#unasked === undefined) return;
    const session = this.#currentSession();
    if (!this.store.enter('left', { hasPeerLeft: true, peerName: undefined, words: undefined })) return;
    this.#watch.stop();
    this.#line = undefined;
    this.#link?.stop();
    this.#dropStored();
    if (session === undefined || this.#isSessionGone) {
      this.#end({ kind: 'gone' });
      return;
    }
    this.store.progress(() => this.#files.map(() => 0));
    this.store.change({ pickupCode: session.pickupCode, expiresAt: this.#ends.get(session.sessionId) });
  }

  #dropStored(): void {
    const stored = this.#stored;
    this.#unasked?.abort();
    this.#unasked = undefined;
    this.#stored = undefined;
    if (stored !== undefined) void endSession(stored.sessionId).catch(() => undefined);
  }

  async #store(session: TransferForPeer): Promise<void> {
    const done = this.#files.map(() => 0);
    const unasked = this.#unasked?.signal;
    const signal = unasked === undefined ? this.#stop.signal : AbortSignal.any([this.#stop.signal, unasked]);
    const sealed = await this.#sealing;
    const sources =
      sealed === undefined ? plainSources(this.#files) : sealedSources(this.#files, sealed.keys);
    let sentAt = 0;
    const sendProgress = () => {
      sentAt = performance.now();
      const bytes = done.reduce((sum, part) => sum + part, 0);
      void this.#rendezvous?.sendSignal('storing', { bytes, pickupCode: session.pickupCode });
    };
    this.store.progress(() => [...done]);
    sendProgress();
    try {
      await storeFiles(
        session,
        sources,
        (file, part) => {
          done[file] = Math.round(part * (this.#files[file]?.size ?? 0));
          this.store.progress(() => [...done]);
          if (performance.now() - sentAt > STORED_PROGRESS_MS) sendProgress();
        },
        signal,
      );
      if (signal.aborted) return;
      this.store.enter('stored', { pickupCode: session.pickupCode, expiresAt: endOf(session) });
      await this.#rendezvous?.sendSignal('stored', { pickupCode: session.pickupCode });
      await this.#waitForReceiver();
    } catch (error) {
      if (unasked?.aborted) return;
      this.#end({ kind: 'failed', error });
    }
  }

  /** Waits until the receiver no longer needs the ONLINE session, and ends it. */
  async #waitForReceiver(): Promise<void> {
    if (this.#rendezvous !== undefined) {
      await Promise.race([this.#receiverFollowed.promise, pause(FOLLOWS_WITHIN_MS, this.#stop.signal)]);
    }
    this.#endSessions();
    this.#cleanUp();
  }

  /** Agrees on a new session before the current one expires, so pages can reconnect if the line breaks. */
  async #renewSession(): Promise<void> {
    if (this.store.phase !== 'running') return;
    try {
      const session = await createSession('ONLINE', await this.#announce());
      this.#follow(session);
      this.#line?.send(encodeMessage({ type: 'meet', sessionId: session.sessionId }));
    } catch {
      // Without a new session, the transfer continues until the line breaks.
    }
  }

  #onSessionGone(): void {
    this.#isSessionGone = true;
    if (this.store.phase === 'waiting') this.#end({ kind: 'expired' });
    else if (this.store.phase !== 'running' && this.store.phase !== 'storing') this.#end({ kind: 'gone' });
  }

  #finish(): void {
    if (!this.store.enter('finished')) return;
    this.store.progress(() => this.#outgoing.plan.sizes);
    this.store.change({});
    this.#endSessions();
    this.#cleanUp();
  }

  #end(ending: Ending): void {
    if (!this.store.enter('end', { ending })) return;
    if (this.#stored !== undefined) this.#sessions.push(this.#stored);
    this.#endSessions();
    this.#cleanUp();
  }

  #cleanUp(): void {
    this.#watch.stop();
    clearTimeout(this.#renewal);
    this.#link?.stop();
    this.#stop.abort();
    this.#allowSleep?.();
    this.#stopWatchingPage?.();
  }

  #endSessions(options: { readonly keepalive?: boolean } = {}): void {
    for (const { sessionId, peerToken } of this.#sessions.splice(0)) {
      void endSession(sessionId, peerToken, options).catch(() => undefined);
    }
    this.#rendezvous = undefined;
  }
}
