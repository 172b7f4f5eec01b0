import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { BlockPlan } from '../../../../../client/src/transfer/blocks/block-plan.ts';
import { Incoming } from '../../../../../client/src/transfer/blocks/incoming.ts';
import { receiveBlocks } from '../../../../../client/src/transfer/blocks/receive-blocks.ts';
import {
  agreeOnWords,
  GreetingLine,
  provePeers,
} from '../../../../../client/src/transfer/connection/greeting.ts';
import { type Line, LineBroken, TransferFault } from '../../../../../client/src/transfer/connection/line.ts';
import { PeerLink } from '../../../../../client/src/transfer/connection/peer-link.ts';
import { readName } from '../../../../../client/src/transfer/connection/peer-name.ts';
import type { Rendezvous, Signal } from '../../../../../client/src/transfer/connection/rendezvous.ts';
import type { Fingerprints } from '../../../../../client/src/transfer/encryption/peer-proof.ts';
import { CannotOpen } from '../../../../../client/src/transfer/encryption/records.ts';
import { PATIENCE_MS, STORED_POLL_MS } from '../../../../../client/src/transfer/flow/direct-times.ts';
import { type OpenedTransfer, openWith } from '../../../../../client/src/transfer/session/opened-transfer.ts';
import { ask } from '../../../api/ask.ts';
import { isPassing } from '../../../api/is-passing.ts';
import { currentSession } from '../../../api/session.ts';
import { pause } from '../../../common/timing/pause.ts';
import { type MeetingPlace, openRendezvous } from '../connection/open-rendezvous.ts';
import { hasRelay } from '../connection/relays.ts';
import type { SavePlace } from '../saving/save-place.ts';
import { whenPageEnds } from './page-end.ts';
import { findIceServers, joinSession, leaveSession, lookUpSession } from './sessions.ts';
import { type Ending, TransferStore } from './state/transfer-state.ts';
import { stayAwake } from './stay-awake.ts';
import { fetchStored } from './stored/fetch-stored.ts';

/** Receives files into the chosen place. Independent of the shown page, like `Sending`. */
export class Receiving {
  readonly store: TransferStore;
  readonly place: SavePlace;
  readonly paths: readonly (readonly string[])[];
  readonly #opened: OpenedTransfer;
  readonly #incoming: Incoming;
  readonly #stop = new AbortController();
  #rendezvous: Rendezvous | undefined;
  #link: PeerLink | undefined;
  #line: Line | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #isSessionGone = false;
  /** The code of the session in which the sender stores the files. */
  #storedCode: string | undefined;
  #allowSleep: (() => void) | undefined;
  /** The session that this page has joined as the receiver. */
  #meeting: MeetingPlace | undefined;
  #stopWatchingPage: (() => void) | undefined;

  constructor(opened: OpenedTransfer, place: SavePlace, paths: readonly (readonly string[])[]) {
    const { session, encryption } = opened;
    this.#opened = opened;
    this.place = place;
    this.paths = paths;
    const files = session.files.map(({ size }, index) => ({ path: (paths[index] ?? []).join('/'), size }));
    this.store = new TransferStore(files);
    this.store.change({ pickupCode: session.pickupCode, secret: encryption?.secret });
    const plan = new BlockPlan(files.map(({ size }) => size));
    this.#incoming = new Incoming(plan, place, (step) => {
      this.store.progress(() => plan.sizes.map((_, file) => plan.bytesOfFileBefore(file, step)));
    });
  }

  async start(): Promise<void> {
    this.#allowSleep = stayAwake();
    const { session } = this.#opened;
    if (session.mode === 'OFFLINE') return await this.#fetch(this.#opened);
    // Gives the place back, so anyone can use the code again, including this user.
    this.#stopWatchingPage = whenPageEnds(() => this.#leavePlace({ keepalive: true }));
    await this.#join(session.sessionId);
  }

  async #join(sessionId: string): Promise<void> {
    try {
      const place = await joinAsReceiver(sessionId);
      if (this.store.isOver) return void leaveSession(place).catch(() => undefined);
      this.store.enter('joined');
      this.#link?.stop();
      this.#link = new PeerLink({
        role: 'receiver',
        connect: (iceServers) => new RTCPeerConnection({ iceServers }),
        findIceServers: async () => {
          const servers = await findIceServers(this.#rendezvous?.sessionId ?? place.sessionId);
          this.store.change({ hasRelay: hasRelay(servers) });
          return servers;
        },
        sendSignal: (type, payload) => void this.#rendezvous?.sendSignal(type, payload),
        onLine: (line, seen) => void this.#receive(line, seen),
      });
      this.#startConnectTimer();
      await this.#link.start();
      this.#follow(place);
    } catch (error) {
      const status = error instanceof HoldallError ? error.status : undefined;
      if (status === 409) this.#end({ kind: 'taken' });
      // The sender has given this place to others meanwhile.
      else this.#end(this.#isSessionGone && status === 404 ? { kind: 'gone' } : { kind: 'failed', error });
    }
  }

  cancel(): void {
    void this.#rendezvous?.sendSignal('cancel');
    this.#end({ kind: 'cancelled' });
  }

  #follow(place: MeetingPlace): void {
    const rendezvous = openRendezvous(place, ask);
    this.#rendezvous = rendezvous;
    this.#meeting = place;
    this.#isSessionGone = false;
    const name = currentSession()?.user.displayName;
    if (name !== undefined) void rendezvous.sendSignal('hello', { name });
    void rendezvous
      .follow((signal) => this.#handleSignal(signal), this.#stop.signal)
      .then((end) => end === 'gone' && rendezvous === this.#rendezvous && this.#onSessionGone());
  }

  #handleSignal({ type, payload }: Signal): void {
    if (type === 'hello') this.store.change({ peerName: readName(payload) });
    else if (type === 'storing') this.#onStoring(payload);
    else if (type === 'stored') void this.#fetchByCode(payload);
    else if (this.store.phase !== 'storing') this.#link?.handleSignal(type, payload);
  }

  async #receive(line: Line, seen: Fingerprints | undefined): Promise<void> {
    this.#line = line;
    clearTimeout(this.#connectTimer);
    this.store.enter('opened');
    try {
      const greeting = new GreetingLine(line);
      await this.#greet(greeting, seen);
      await receiveBlocks(greeting, this.#incoming, (sessionId) => void this.#joinNextSession(sessionId));
      // The line may break before this signal reaches the sender.
      await this.#rendezvous?.sendSignal('done');
      this.#finish();
    } catch (error) {
      if (!(error instanceof LineBroken)) {
        if (error instanceof TransferFault) void this.#rendezvous?.sendSignal('failed', error.fault);
        this.#end({ kind: 'failed', error });
      } else if (this.#line === line && this.store.enter('lost')) {
        if (this.#isSessionGone) void this.#joinAgain();
        else this.#startConnectTimer();
      }
    }
  }

  async #greet(line: GreetingLine, seen: Fingerprints | undefined): Promise<void> {
    const { encryption } = this.#opened;
    if (encryption === undefined) this.store.change({ words: await agreeOnWords(line, 'receiver', seen) });
    else await provePeers(line, 'receiver', await encryption.keys.ofPeer(), seen);
  }

  #startConnectTimer(): void {
    clearTimeout(this.#connectTimer);
    this.#connectTimer = setTimeout(() => this.store.enter('tooLong'), PATIENCE_MS);
  }

  async #joinNextSession(sessionId: string): Promise<void> {
    try {
      this.#follow(await joinSession(sessionId));
    } catch {
      // The line is open and needs no session. The transfer ends only if the line breaks.
    }
  }

  /** Called when the sender switches to storing the files. Blocks that were already received are kept. */
  #onStoring(payload: unknown): void {
    const bytes = readBytes(payload);
    if (this.store.enter('store')) {
      clearTimeout(this.#connectTimer);
      this.#link?.stop();
      this.store.change({ isStoring: true });
      const code = readCode(payload);
      if (code !== '') {
        this.#storedCode = code;
        void this.#rendezvous?.sendSignal('following');
      }
    }
    if (this.store.phase === 'storing') this.store.change({ storedBytes: bytes });
  }

  async #fetchByCode(payload: unknown): Promise<void> {
    try {
      const found = await lookUpSession(readCode(payload));
      const opened = await openWith(found, this.#opened.encryption?.secret);
      const isSame = opened.session.files.every(({ size }, file) => size === this.#incoming.plan.sizes[file]);
      if (!isSame) throw new TransferFault('damaged');
      await this.#fetch(opened);
    } catch (error) {
      const isAltered = error instanceof CannotOpen;
      this.#end({ kind: 'failed', error: isAltered ? new TransferFault('altered') : error });
    }
  }

  /**
   * Polls until the files are stored. The upload has outlasted the first session, so there are no more
   * signals.
   */
  async #pollUntilStored(pickupCode: string): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && this.store.phase === 'storing') {
      try {
        const { status, files } = await lookUpSession(pickupCode, signal);
        if (status === 'READY') return await this.#fetchByCode({ pickupCode });
        const sizes = files.map(({ uploaded }, file) => (uploaded ? this.#sizeOf(file) : 0));
        const storedBytes = sizes.reduce((sum, size) => sum + size, 0);
        if (storedBytes > this.store.snapshot().storedBytes) this.store.change({ storedBytes });
      } catch (error) {
        // The sender may have cancelled, which also ends the session.
        if (!isPassing(error)) return this.#end({ kind: 'gone' });
      }
      await pause(STORED_POLL_MS, signal);
    }
  }

  #sizeOf(file: number): number {
    return this.#incoming.plan.sizes[file] ?? 0;
  }

  async #fetch(opened: OpenedTransfer): Promise<void> {
    const { pickupCode } = opened.session;
    if (!this.store.enter('fetch', { pickupCode, isStoring: false })) return;
    clearTimeout(this.#connectTimer);
    this.#link?.stop();
    try {
      await fetchStored(opened, this.#incoming, this.#stop.signal);
      this.#finish();
    } catch (error) {
      this.#end({ kind: 'failed', error });
    }
  }

  #onSessionGone(): void {
    this.#isSessionGone = true;
    const { phase } = this.store;
    if (phase === 'storing' && this.#storedCode !== undefined) {
      void this.#pollUntilStored(this.#storedCode);
      return;
    }
    if (phase === 'connecting' || phase === 'mending' || phase === 'stuck') void this.#joinAgain();
    // A running download is not affected.
    else if (phase !== 'running' && phase !== 'fetching') this.#end({ kind: 'gone' });
  }

  /**
   * Joins again after the sender has given the place to others. This happens after a long silence, for
   * example of a sleeping phone. Blocks that were already received are kept.
   */
  async #joinAgain(): Promise<void> {
    const { sessionId } = this.#meeting ?? this.#opened.session;
    sessionStorage.removeItem(keyOf(sessionId));
    await this.#join(sessionId);
  }

  #leavePlace(options: { readonly keepalive?: boolean } = {}): void {
    const place = this.#meeting;
    this.#meeting = undefined;
    if (place === undefined) return;
    sessionStorage.removeItem(keyOf(place.sessionId));
    void leaveSession(place, options).catch(() => undefined);
  }

  #finish(): void {
    if (this.store.enter('finished')) this.#cleanUp();
  }

  #end(ending: Ending): void {
    if (!this.store.enter('end', { ending })) return;
    // After a fault there is no place to give back: the fault has ended the sender's side as well.
    if (ending.kind === 'failed' && !(ending.error instanceof TransferFault)) this.#leavePlace();
    this.#cleanUp();
    void this.#incoming.stop();
  }

  #cleanUp(): void {
    clearTimeout(this.#connectTimer);
    this.#link?.stop();
    this.#stop.abort();
    this.#allowSleep?.();
    this.#stopWatchingPage?.();
  }
}

function keyOf(sessionId: string): string {
  return `holdall.transfer.${sessionId}`;
}

/** Whether this tab is already the receiver. */
export function hasReceiverPlace(sessionId: string): boolean {
  return sessionStorage.getItem(keyOf(sessionId)) !== null;
}

/**
 * Also works after a reload: the tab is still the receiver, but all files start over.
 * @throws HoldallError
 */
async function joinAsReceiver(sessionId: string): Promise<MeetingPlace> {
  const key = keyOf(sessionId);
  try {
    const { peerToken } = await joinSession(sessionId);
    sessionStorage.setItem(key, peerToken);
    return { sessionId, peerToken };
  } catch (error) {
    const peerToken = sessionStorage.getItem(key);
    const isTaken = error instanceof HoldallError && error.status === 409;
    if (!isTaken || peerToken === null) throw error;
    return { sessionId, peerToken };
  }
}

function readBytes(payload: unknown): number {
  if (typeof payload !== 'object' || payload === null || !('bytes' in payload)) return 0;
  return typeof payload.bytes === 'number' ? payload.bytes : 0;
}

function readCode(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('pickupCode' in payload)) return '';
  return typeof payload.pickupCode === 'string' ? payload.pickupCode : '';
}
