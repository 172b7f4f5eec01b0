import type { TransferForPeer } from '../../generated/records.ts';
import { wait } from '../../requests/waiting.ts';
import { BlockPlan } from '../blocks/block-plan.ts';
import { type Outgoing, sendBlocks } from '../blocks/send-blocks.ts';
import { encodeMessage } from '../blocks/wire.ts';
import { agreeOnWords, GreetingLine, provePeers } from '../connection/greeting.ts';
import { type Line, LineBroken, TransferFault, toFault } from '../connection/line.ts';
import { PeerLink } from '../connection/peer-link.ts';
import { readName } from '../connection/peer-name.ts';
import type { Rendezvous, Signal } from '../connection/rendezvous.ts';
import type { Fingerprints } from '../encryption/peer-proof.ts';
import { type DirectOptions, LAST_CALL_MS } from './direct-options.ts';
import { FOLLOWS_WITHIN_MS, RENEWAL_LEAD_MS, STORED_PROGRESS_MS } from './direct-times.ts';
import { findIceServers, isGone, openRendezvous } from './open-rendezvous.ts';
import { type Announced, announce, type OutgoingFile } from './outgoing-file.ts';
import { ReceiverWatch } from './receiver-watch.ts';
import { storeFiles } from './store-files.ts';
import type { TransferCalls } from './transfer-calls.ts';
import { TransferEnded } from './transfer-event.ts';

export interface SendDirectOptions extends DirectOptions {
  /** Whether to encrypt, so that the receiver also needs a secret. */
  readonly encrypt?: boolean | undefined;
  /**
   * Whether to store the files on the service if no one joins in time, or if there is no direct connection.
   * Needs a login.
   */
  readonly mayStore?: boolean | undefined;
}

/** How the files were sent. */
export type SentBy = 'direct' | 'stored';

type Phase = 'waiting' | 'connecting' | 'running' | 'reconnecting' | 'storing' | 'over';

/** Sends files to the person who enters the code. `run` may be called only once. */
export class DirectSender {
  readonly #calls: TransferCalls;
  readonly #files: readonly OutgoingFile[];
  readonly #options: SendDirectOptions;
  readonly #plan: BlockPlan;
  readonly #outgoing: Outgoing;
  readonly #stop = new AbortController();
  readonly #outcome = Promise.withResolvers<SentBy>();
  /** Resolved when the receiver knows the stored session and no longer needs signals. */
  readonly #followed = Promise.withResolvers<void>();
  #announced: Announced | undefined;
  #phase: Phase = 'waiting';
  #sessions: TransferForPeer[] = [];
  #stored: TransferForPeer | undefined;
  #rendezvous: Rendezvous | undefined;
  #link: PeerLink | undefined;
  #line: Line | undefined;
  #isSessionGone = false;
  #hasPeerName = false;
  #hasPeerLeft = false;
  readonly #watch: ReceiverWatch;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(calls: TransferCalls, files: readonly OutgoingFile[], options: SendDirectOptions) {
    this.#calls = calls;
    this.#files = files;
    this.#options = options;
    this.#watch = new ReceiverWatch({
      patienceMs: options.patienceMs,
      onTooLong: () => this.#handleTooLong(),
      onSilence: () => void this.#releaseReceiver(),
    });
    this.#plan = new BlockPlan(files.map(({ content }) => content.size));
    this.#outgoing = {
      plan: this.#plan,
      digests: new Map(),
      read: async (index, start, end) => {
        const content = files[index]?.content.slice(start, end);
        if (content === undefined) throw new RangeError(`There is no file ${index}.`);
        return new Uint8Array(await content.arrayBuffer());
      },
      onConfirmed: (step) => this.#options.onProgress?.(this.#plan.bytesBefore(step)),
    };
  }

  /** @throws HoldallError; TransferEnded; TransferFault; the reason of the signal */
  async run(): Promise<SentBy> {
    const { signal } = this.#options;
    const abort = () => this.#fail(signal?.reason);
    // It may fail before anyone waits for it.
    this.#outcome.promise.catch(() => undefined);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#announced = await announce(this.#files, this.#options.encrypt ?? false);
      const session = await this.#create('ONLINE');
      this.#follow(session);
      this.#reportCode(session);
      return await this.#outcome.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
      await this.#leave();
    }
  }

  #create(mode: 'ONLINE' | 'OFFLINE'): Promise<TransferForPeer> {
    const { body = { files: [] } } = this.#announced ?? {};
    return this.#calls.create({ mode, ...body, requirePeerToken: true }, { signal: this.#stop.signal });
  }

  #reportCode({ mode, pickupCode, expiresAt }: TransferForPeer): void {
    const secret = this.#announced?.sealed?.secret;
    this.#options.onEvent?.({ type: 'code', mode, pickupCode, secret, expiresAt });
  }

  /** Waits for the receiver in a session. */
  #follow(session: TransferForPeer): void {
    const rendezvous = openRendezvous(this.#calls, session);
    this.#sessions.push(session);
    if (this.#rendezvous === undefined) this.#use(rendezvous);
    const life = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
    this.#renewal = setTimeout(() => void this.#renewSession(), Math.max(0, life - RENEWAL_LEAD_MS));
    void rendezvous
      .follow((signal) => this.#handleSignal(signal, rendezvous), this.#stop.signal)
      .then((end) => end === 'gone' && rendezvous === this.#rendezvous && this.#loseSession());
  }

  #use(rendezvous: Rendezvous): void {
    this.#rendezvous = rendezvous;
    this.#hasPeerLeft = false;
    const { name } = this.#options;
    if (name !== undefined) void rendezvous.sendSignal('hello', { name });
  }

  #handleSignal({ type, payload }: Signal, rendezvous: Rendezvous): void {
    if (type === 'peer-left') {
      this.#handlePeerLeft(rendezvous);
      return;
    }
    this.#watch.noteSignal();
    if (type === 'peer-joined') {
      // The receiver has joined the replacing session, or another receiver has joined.
      if (rendezvous !== this.#rendezvous || this.#hasPeerLeft) this.#use(rendezvous);
      if (this.#phase === 'waiting') this.#connect(rendezvous.sessionId);
    } else if (type === 'hello') {
      this.#reportPeer(readName(payload));
    } else if (type === 'following') this.#followed.resolve();
    else if (type === 'done') {
      // The line may have broken before its last message arrived.
      if (this.#phase === 'running' || this.#phase === 'reconnecting') this.#finish('direct');
    } else if (type === 'cancel') this.#fail(new TransferEnded('cancelled'));
    else if (type === 'failed') this.#fail(toFault(String(payload)));
    else this.#link?.handleSignal(type, payload);
  }

  /** Reports only the first name, because a changing name is useless. */
  #reportPeer(name: string | undefined): void {
    if (name === undefined || this.#hasPeerName) return;
    this.#hasPeerName = true;
    this.#options.onEvent?.({ type: 'peer', name });
  }

  #connect(firstSession: string): void {
    this.#phase = 'connecting';
    this.#link = new PeerLink({
      role: 'sender',
      connect: this.#options.connect,
      findIceServers: () => findIceServers(this.#calls, this.#rendezvous?.sessionId ?? firstSession),
      sendSignal: (type, payload) => void this.#rendezvous?.sendSignal(type, payload),
      onLine: (line, seen) => void this.#send(line, seen),
      lastAttempt: this.#link?.lastAttempt,
    });
    this.#watch.start();
    void this.#link.start();
  }

  async #send(line: Line, seen: Fingerprints | undefined): Promise<void> {
    if (this.#phase === 'over' || this.#phase === 'storing') return;
    this.#line = line;
    this.#watch.stop();
    this.#phase = 'running';
    try {
      const greeting = new GreetingLine(line);
      const sealed = this.#announced?.sealed;
      const words = sealed === undefined ? await agreeOnWords(greeting, 'sender', seen) : undefined;
      if (sealed !== undefined) await provePeers(greeting, 'sender', await sealed.keys.ofPeer(), seen);
      this.#options.onEvent?.({ type: 'connected', words });
      await sendBlocks(greeting, this.#outgoing);
      this.#finish('direct');
    } catch (error) {
      if (!(error instanceof LineBroken)) this.#fail(error);
      else if (this.#line === line) this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#phase !== 'running') return;
    this.#phase = 'reconnecting';
    if (this.#isSessionGone) this.#fail(new TransferEnded('gone'));
    else {
      this.#options.onEvent?.({ type: 'interrupted' });
      this.#watch.start();
    }
  }

  #handleTooLong(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'reconnecting') return;
    if (this.#options.mayStore === true) void this.#store();
    else this.#options.onEvent?.({ type: 'stuck' });
  }

  /** Frees the place of a receiver that can no longer leave by itself. */
  async #releaseReceiver(): Promise<void> {
    if (this.#phase !== 'connecting' && this.#phase !== 'reconnecting') return;
    const rendezvous = this.#rendezvous;
    const link = this.#link;
    const session = this.#sessions.find(({ sessionId }) => sessionId === rendezvous?.sessionId);
    if (session === undefined || rendezvous === undefined) return;
    try {
      await this.#calls.leave(session, { signal: this.#stop.signal, retries: 0 });
    } catch (error) {
      // This side's network may have caused the silence, so the receiver keeps the place.
      if (!isGone(error)) return this.#watch.waitAgain();
    }
    // Another receiver may have come meanwhile.
    if (link === this.#link) this.#handlePeerLeft(rendezvous);
  }

  /** Waits for another receiver with the same code. */
  #handlePeerLeft(rendezvous: Rendezvous): void {
    const isConnected =
      this.#phase === 'connecting' || this.#phase === 'running' || this.#phase === 'reconnecting';
    if (rendezvous !== this.#rendezvous || !isConnected) return;
    this.#phase = 'waiting';
    this.#hasPeerLeft = true;
    this.#hasPeerName = false;
    this.#watch.stop();
    this.#line = undefined;
    this.#link?.stop();
    this.#options.onEvent?.({ type: 'left' });
    if (this.#isSessionGone) this.#loseSession();
  }

  /**
   * Stores the files on the service. A receiver that has joined follows to the stored session. Otherwise
   * there is a new code.
   */
  async #store(): Promise<void> {
    const hasReceiver = this.#phase !== 'waiting';
    this.#phase = 'storing';
    // The receiver is silent while it waits for the stored files.
    this.#watch.stop();
    this.#link?.stop();
    try {
      const session = await this.#create('OFFLINE');
      this.#stored = session;
      this.#options.onEvent?.({ type: 'storing' });
      if (!hasReceiver) await this.#endSessions();
      await this.#upload(session);
      this.#stored = undefined;
      this.#reportCode(session);
      if (hasReceiver) await this.#letFollow(session.pickupCode);
      this.#finish('stored');
    } catch (error) {
      this.#fail(error);
    }
  }

  async #upload(session: TransferForPeer): Promise<void> {
    let toldAt = 0;
    const sendProgress = (bytes: number) => {
      if (performance.now() - toldAt < STORED_PROGRESS_MS) return;
      toldAt = performance.now();
      void this.#rendezvous?.sendSignal('storing', { bytes, pickupCode: session.pickupCode });
    };
    toldAt = -STORED_PROGRESS_MS;
    sendProgress(0);
    await storeFiles({
      ...{ calls: this.#calls, session, files: this.#files, sealed: this.#announced?.sealed },
      onBytes: (bytes) => {
        this.#options.onProgress?.(bytes);
        sendProgress(bytes);
      },
      signal: this.#stop.signal,
    });
  }

  async #letFollow(pickupCode: string): Promise<void> {
    await this.#rendezvous?.sendSignal('stored', { pickupCode });
    const tooLong = wait(FOLLOWS_WITHIN_MS, this.#stop.signal).catch(() => undefined);
    await Promise.race([this.#followed.promise, tooLong]);
  }

  /** Agrees on a new session before the current one expires, so that both sides can still find each other. */
  async #renewSession(): Promise<void> {
    if (this.#phase !== 'running') return;
    try {
      const session = await this.#create('ONLINE');
      this.#follow(session);
      this.#line?.send(encodeMessage({ type: 'meet', sessionId: session.sessionId }));
    } catch {
      // Without a new session, the transfer can last only as long as the line.
    }
  }

  #loseSession(): void {
    this.#isSessionGone = true;
    if (this.#phase === 'waiting' && this.#options.mayStore === true) void this.#store();
    else if (this.#phase === 'waiting') this.#fail(new TransferEnded('expired'));
    else if (this.#phase === 'connecting' || this.#phase === 'reconnecting') {
      this.#fail(new TransferEnded('gone'));
    }
  }

  #finish(by: SentBy): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#options.onProgress?.(this.#plan.totalBytes);
    this.#outcome.resolve(by);
  }

  #fail(error: unknown): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#outcome.reject(error instanceof LineBroken ? new TransferFault('unknown') : error);
    this.#stop.abort(error);
  }

  async #leave(): Promise<void> {
    this.#phase = 'over';
    this.#watch.stop();
    clearTimeout(this.#renewal);
    this.#link?.stop();
    this.#stop.abort();
    if (this.#stored !== undefined) this.#sessions.push(this.#stored);
    await this.#endSessions();
  }

  async #endSessions(): Promise<void> {
    const ended = this.#sessions.splice(0).map(({ sessionId, peerToken }) =>
      // Errors are ignored: an expired session is already gone.
      this.#calls.end(sessionId, peerToken, { timeoutMs: LAST_CALL_MS }).catch(() => undefined),
    );
    await Promise.all(ended);
  }
}
