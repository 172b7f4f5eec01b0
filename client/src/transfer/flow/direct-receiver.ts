import { ConflictError, HoldallError, NotFoundError } from '../../errors/errors.ts';
import { wait } from '../../requests/waiting.ts';
import { BlockPlan } from '../blocks/block-plan.ts';
import type { FileSinks } from '../blocks/file-sink.ts';
import { Incoming } from '../blocks/incoming.ts';
import { receiveBlocks } from '../blocks/receive-blocks.ts';
import { agreeOnWords, GreetingLine, provePeers } from '../connection/greeting.ts';
import { type Line, LineBroken, TransferFault } from '../connection/line.ts';
import { PeerLink } from '../connection/peer-link.ts';
import { readName } from '../connection/peer-name.ts';
import type { Rendezvous, Signal } from '../connection/rendezvous.ts';
import type { Fingerprints } from '../encryption/peer-proof.ts';
import { CannotOpen } from '../encryption/records.ts';
import { type OpenedTransfer, openWith } from '../session/opened-transfer.ts';
import { type DirectOptions, LAST_CALL_MS } from './direct-options.ts';
import { PATIENCE_MS, STORED_POLL_MS } from './direct-times.ts';
import { fetchRest } from './fetch-rest.ts';
import { findIceServers, openRendezvous } from './open-rendezvous.ts';
import type { Peer, TransferCalls } from './transfer-calls.ts';
import { TransferEnded } from './transfer-event.ts';

/** The current session and the one that replaces it. A sender cannot make this side follow more. */
const MAX_FOLLOWED = 2;

type Phase = 'connecting' | 'running' | 'reconnecting' | 'storing' | 'fetching' | 'over';

/** Receives the files of an ONLINE session. `run` may be called only once. */
export class DirectReceiver {
  readonly #calls: TransferCalls;
  readonly #opened: OpenedTransfer;
  readonly #options: DirectOptions;
  readonly #incoming: Incoming;
  readonly #stop = new AbortController();
  readonly #outcome = Promise.withResolvers<void>();
  readonly #follows: AbortController[] = [];
  #phase: Phase = 'connecting';
  #peer: Peer | undefined;
  #rendezvous: Rendezvous | undefined;
  #link: PeerLink | undefined;
  #line: Line | undefined;
  #isSessionGone = false;
  #hasPeerName = false;
  /** The code of the session in which the sender stores the files. */
  #storedCode: string | undefined;
  /** The same code, once all files are stored. */
  #readyCode: string | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(calls: TransferCalls, opened: OpenedTransfer, sinks: FileSinks, options: DirectOptions) {
    this.#calls = calls;
    this.#opened = opened;
    this.#options = options;
    const plan = new BlockPlan(opened.session.files.map(({ size }) => size));
    this.#incoming = new Incoming(plan, sinks, (step) => options.onProgress?.(plan.bytesBefore(step)));
  }

  /** @throws HoldallError; TransferEnded; TransferFault; the reason of the signal */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const abort = () => this.#fail(signal?.reason);
    this.#outcome.promise.catch(() => undefined);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const peer = await this.#join(this.#opened.session.sessionId);
      // Connect first, so that no signal about a connection is missed.
      await this.#connect(peer.sessionId);
      this.#follow(peer);
      await this.#outcome.promise;
    } catch (error) {
      await Promise.all([
        this.#incoming.stop(),
        signal?.aborted ? this.#sendCancel() : this.#leavePlace(error),
      ]);
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#leave();
    }
  }

  async #join(sessionId: string): Promise<Peer> {
    try {
      const { peerToken } = await this.#calls.join(sessionId, { signal: this.#stop.signal });
      if (peerToken === undefined) throw new TransferFault('unknown');
      return { sessionId, peerToken };
    } catch (error) {
      throw error instanceof ConflictError ? new TransferEnded('taken') : error;
    }
  }

  #follow(peer: Peer): void {
    const rendezvous = openRendezvous(this.#calls, peer);
    const end = new AbortController();
    this.#follows.push(end);
    if (this.#follows.length > MAX_FOLLOWED) this.#follows.shift()?.abort();
    this.#peer = peer;
    this.#rendezvous = rendezvous;
    this.#isSessionGone = false;
    const { name } = this.#options;
    if (name !== undefined) void rendezvous.sendSignal('hello', { name });
    void rendezvous
      .follow((signal) => this.#handleSignal(signal), AbortSignal.any([end.signal, this.#stop.signal]))
      .then((result) => result === 'gone' && rendezvous === this.#rendezvous && this.#loseSession());
  }

  async #connect(sessionId: string): Promise<void> {
    this.#link = new PeerLink({
      role: 'receiver',
      connect: this.#options.connect,
      findIceServers: () => findIceServers(this.#calls, this.#rendezvous?.sessionId ?? sessionId),
      sendSignal: (type, payload) => void this.#rendezvous?.sendSignal(type, payload),
      onLine: (line, seen) => void this.#receive(line, seen),
    });
    this.#startPatienceTimer();
    await this.#link.start();
  }

  #handleSignal({ type, payload }: Signal): void {
    if (type === 'hello') {
      this.#reportPeer(readName(payload));
    } else if (type === 'storing') this.#watchStoring(readCode(payload));
    else if (type === 'stored') this.#handleStored(readCode(payload));
    else if (this.#phase !== 'storing') this.#link?.handleSignal(type, payload);
  }

  /** Reports only the first name, because a changing name is useless. */
  #reportPeer(name: string | undefined): void {
    if (name === undefined || this.#hasPeerName) return;
    this.#hasPeerName = true;
    this.#options.onEvent?.({ type: 'peer', name });
  }

  async #receive(line: Line, seen: Fingerprints | undefined): Promise<void> {
    if (this.#phase !== 'connecting' && this.#phase !== 'reconnecting') return;
    this.#line = line;
    clearTimeout(this.#patience);
    this.#phase = 'running';
    try {
      const greeting = new GreetingLine(line);
      const { encryption } = this.#opened;
      const words = encryption === undefined ? await agreeOnWords(greeting, 'receiver', seen) : undefined;
      if (encryption !== undefined) {
        await provePeers(greeting, 'receiver', await encryption.keys.ofPeer(), seen);
      }
      this.#options.onEvent?.({ type: 'connected', words });
      await receiveBlocks(greeting, this.#incoming, (sessionId) => void this.#joinNextSession(sessionId));
      // Sent in addition, because the line may break before its last message arrives.
      await this.#rendezvous?.sendSignal('done');
      this.#finish();
    } catch (error) {
      if (!(error instanceof LineBroken)) await this.#refuse(error);
      else if (this.#line === line) this.#reconnect();
    }
  }

  /** Tells the sender the reason. Otherwise it would keep trying. */
  async #refuse(error: unknown): Promise<void> {
    if (this.#phase === 'over') return;
    if (error instanceof TransferFault) await this.#rendezvous?.sendSignal('failed', error.fault);
    this.#fail(error);
  }

  #reconnect(): void {
    if (this.#phase !== 'running') return;
    this.#phase = 'reconnecting';
    if (this.#readyCode !== undefined) void this.#fetchByCode(this.#readyCode);
    else if (this.#isSessionGone) void this.#joinAgain();
    else {
      this.#options.onEvent?.({ type: 'interrupted' });
      this.#startPatienceTimer();
    }
  }

  #startPatienceTimer(): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => {
      if (this.#phase === 'connecting' || this.#phase === 'reconnecting') {
        this.#options.onEvent?.({ type: 'stuck' });
      }
    }, this.#options.patienceMs ?? PATIENCE_MS);
  }

  async #joinNextSession(sessionId: string): Promise<void> {
    try {
      this.#follow(await this.#join(sessionId));
    } catch {
      // The line is still open, so the transfer ends only if it breaks.
    }
  }

  /** The files are stored. This may arrive before this side has noticed that the line broke. */
  #handleStored(code: string | undefined): void {
    this.#readyCode = code;
    if (this.#phase !== 'running') void this.#fetchByCode(code);
  }

  /** The sender is storing the files. Blocks that were already received stay. */
  #watchStoring(code: string | undefined): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'reconnecting') return;
    this.#phase = 'storing';
    clearTimeout(this.#patience);
    this.#link?.stop();
    this.#options.onEvent?.({ type: 'storing' });
    if (code === undefined) return;
    this.#storedCode = code;
    void this.#rendezvous?.sendSignal('following');
  }

  async #fetchByCode(code: string | undefined): Promise<void> {
    if (code === undefined || this.#phase === 'fetching' || this.#phase === 'over') return;
    this.#phase = 'fetching';
    clearTimeout(this.#patience);
    this.#link?.stop();
    try {
      const { signal } = this.#stop;
      const found = await this.#calls.find(code, { signal });
      const opened = await openWith(found, this.#opened.encryption?.secret);
      const { files } = opened.session;
      const { sizes } = this.#incoming.plan;
      const isSame = files.length === sizes.length && files.every(({ size }, file) => size === sizes[file]);
      if (!isSame) throw new TransferFault('damaged');
      await fetchRest(this.#calls, opened, this.#incoming, signal);
      this.#finish();
    } catch (error) {
      this.#fail(error instanceof CannotOpen ? new TransferFault('altered', { cause: error }) : error);
    }
  }

  /**
   * Polls until the files are stored. The upload has outlasted the first session, so there are no signals.
   */
  async #awaitStored(code: string): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && this.#phase === 'storing') {
      try {
        const { status } = await this.#calls.find(code, { signal });
        if (status === 'READY') return await this.#fetchByCode(code);
      } catch (error) {
        // A session that no longer exists was cancelled by its sender.
        if (!(error instanceof HoldallError && error.isPassing)) this.#fail(new TransferEnded('gone'));
      }
      await wait(STORED_POLL_MS, signal).catch(() => undefined);
    }
  }

  #loseSession(): void {
    this.#isSessionGone = true;
    if (this.#phase === 'storing' && this.#storedCode !== undefined) void this.#awaitStored(this.#storedCode);
    // An open line or a download continues without the session.
    else if (this.#phase === 'connecting' || this.#phase === 'reconnecting') void this.#joinAgain();
    else if (this.#phase !== 'running' && this.#phase !== 'fetching') this.#fail(new TransferEnded('gone'));
  }

  /** Joins again, because the sender frees the place after a long silence. Received blocks stay. */
  async #joinAgain(): Promise<void> {
    const { sessionId } = this.#peer ?? this.#opened.session;
    try {
      const peer = await this.#join(sessionId);
      this.#link?.stop();
      await this.#connect(sessionId);
      this.#follow(peer);
    } catch (error) {
      this.#fail(error instanceof NotFoundError ? new TransferEnded('gone') : error);
    }
  }

  #finish(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#outcome.resolve();
  }

  #fail(error: unknown): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#outcome.reject(error);
    this.#stop.abort(error);
  }

  /** Tells the sender to stop trying. */
  async #sendCancel(): Promise<void> {
    if (this.#peer === undefined) return;
    const call = { timeoutMs: LAST_CALL_MS, retries: 0 };
    await this.#calls.signal(this.#peer, 'cancel', null, call).catch(() => undefined);
  }

  /**
   * Frees the place, so that others can use the code. Not after a fault, because that also ends the sender.
   */
  async #leavePlace(error: unknown): Promise<void> {
    if (this.#peer === undefined || this.#isSessionGone || error instanceof TransferFault) return;
    const call = { timeoutMs: LAST_CALL_MS, retries: 0 };
    await this.#calls.leave(this.#peer, call).catch(() => undefined);
  }

  #leave(): void {
    clearTimeout(this.#patience);
    this.#link?.stop();
    this.#stop.abort();
  }
}

function readCode(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('pickupCode' in payload)) return undefined;
  return typeof payload.pickupCode === 'string' ? payload.pickupCode : undefined;
}
