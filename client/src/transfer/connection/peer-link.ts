// Opens a line between the two pages, and another one whenever it breaks, for as long as it is needed. The
// sender initiates: each attempt is a new connection with a number, so that late messages about an older
// attempt are ignored. The receiver answers, and requests another attempt if it notices a break first.
import { SerialQueue } from '../../common/serial-queue.ts';
import { type Fingerprints, readFingerprint } from '../encryption/peer-proof.ts';
import { DataChannelLine } from './data-channel-line.ts';
import type { Line } from './line.ts';
import type {
  Connect,
  DataChannel,
  IceCandidate,
  IceServer,
  PeerConnection,
  SessionDescription,
} from './peer-connection.ts';

const WATCH_MS = 400;
/** An attempt that has not opened a line within this time is replaced by another. */
const ATTEMPT_MS = 10_000;
/** The minimum delay between two attempts. */
const PAUSE_MS = 1_500;
/** A connection that has been disconnected for this long does not recover. */
const DISCONNECTED_MS = 3_000;
const ASK_AGAIN_MS = 6_000;
/**
 * Each further attempt may take longer, up to this factor. Otherwise a slow machine or network would never
 * succeed.
 */
const MAX_LONGER = 4;
const LONGER = 1.5;

interface LinkParts {
  readonly role: 'sender' | 'receiver';
  readonly connect: Connect;
  readonly findIceServers: () => Promise<IceServer[]>;
  /** Sends a signal to the other page through the service. */
  readonly sendSignal: (type: string, payload: unknown) => void;
  /** @param seen undefined unless both descriptions have one fingerprint each */
  readonly onLine: (line: Line, seen: Fingerprints | undefined) => void;
  /**
   * The number of the last attempt with a receiver that has left. Counting continues from it, so that late
   * signals of that receiver are ignored.
   */
  readonly lastAttempt?: number | undefined;
}

interface Attempt {
  readonly number: number;
  readonly peer: PeerConnection;
  readonly begunAt: number;
  /** Calls to the connection run one after another. */
  readonly calls: SerialQueue;
  /** Whether the other side's description has arrived. */
  isDescribed: boolean;
  line: DataChannelLine | undefined;
  disconnectedSince: number | undefined;
}

export class PeerLink {
  readonly #parts: LinkParts;
  #number: number;
  /** The number of attempts since the last line. */
  #tries = 0;
  #attempt: Attempt | undefined;
  #quietSince = performance.now();
  #iceServers: IceServer[] = [];
  #isStopped = false;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#number = parts.lastAttempt ?? 0;
  }

  /** The number of the last attempt. */
  get lastAttempt(): number {
    return this.#number;
  }

  async start(): Promise<void> {
    await this.#renewServers();
    if (this.#isStopped || this.#watch !== undefined) return;
    this.#watch = setInterval(() => this.#checkConnection(), WATCH_MS);
    this.#quietSince = performance.now();
    if (this.#parts.role === 'sender') this.#startAttempt();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#watch);
    this.#drop();
  }

  /** Handles signals about connections; ignores all others. */
  handleSignal(type: string, payload: unknown): void {
    if (this.#watch === undefined || this.#isStopped || !isConnectionSignal(payload)) return;
    const { attempt: number, description, candidates } = payload;
    const isSender = this.#parts.role === 'sender';
    if (type === 'again' && isSender) this.#handleRetryRequest();
    else if (type === 'description' && description !== undefined) {
      if (isSender) this.#handleAnswer(number, description);
      else if (description.type === 'offer' && number > this.#number) this.#answer(number, description);
    } else if (type === 'candidates' && candidates !== undefined) {
      this.#inTurn(number, async ({ peer }) => {
        for (const candidate of candidates) await peer.addIceCandidate(candidate);
      });
    }
  }

  #startAttempt(): void {
    const attempt = this.#createAttempt(this.#number + 1);
    const channel = attempt.peer.createDataChannel('files');
    channel.onopen = () => this.#open(attempt, channel);
    this.#inTurn(attempt.number, async ({ peer, number }) => {
      await peer.setLocalDescription();
      this.#parts.sendSignal('description', { attempt: number, description: peer.localDescription });
    });
    // The credentials of the servers may expire.
    void this.#renewServers();
  }

  #answer(number: number, description: SessionDescription): void {
    const attempt = this.#createAttempt(number);
    attempt.peer.ondatachannel = ({ channel }) => {
      if (channel.readyState === 'open') this.#open(attempt, channel);
      else channel.onopen = () => this.#open(attempt, channel);
    };
    this.#inTurn(number, async ({ peer }) => {
      await peer.setRemoteDescription(description);
      await peer.setLocalDescription();
      this.#parts.sendSignal('description', { attempt: number, description: peer.localDescription });
    });
  }

  /**
   * Accepts only the first answer of an attempt. A later description would not change the connection, but it
   * would change the fingerprint that its two ends compare.
   */
  #handleAnswer(number: number, description: SessionDescription): void {
    const attempt = this.#attempt;
    if (attempt?.number !== number || attempt.isDescribed || description.type !== 'answer') return;
    attempt.isDescribed = true;
    this.#inTurn(number, ({ peer }) => peer.setRemoteDescription(description));
  }

  #handleRetryRequest(): void {
    const attempt = this.#attempt;
    if (attempt === undefined || performance.now() - attempt.begunAt > PAUSE_MS) this.#startAttempt();
  }

  #createAttempt(number: number): Attempt {
    this.#drop();
    const peer = this.#parts.connect(this.#iceServers);
    const now = performance.now();
    const attempt = {
      number,
      peer,
      begunAt: now,
      calls: new SerialQueue(),
      isDescribed: false,
      line: undefined,
      disconnectedSince: undefined,
    };
    this.#number = number;
    this.#tries += 1;
    this.#attempt = attempt;
    this.#quietSince = now;
    let found: IceCandidate[] = [];
    peer.onicecandidate = ({ candidate }) => {
      if (candidate === null || this.#attempt !== attempt) return;
      found.push(candidate.toJSON());
      if (found.length > 1) return;
      // Waits, so that candidates found at the same time are sent in one message.
      setTimeout(() => {
        this.#parts.sendSignal('candidates', { attempt: number, candidates: found });
        found = [];
      });
    };
    return attempt;
  }

  #open(attempt: Attempt, channel: DataChannel): void {
    if (this.#attempt !== attempt || attempt.line !== undefined) return;
    this.#tries = 0;
    const line = new DataChannelLine(channel, attempt.peer.sctp?.maxMessageSize);
    attempt.line = line;
    // A busy browser may open the channel before the call that sets the other side's description has ended.
    // Until then the connection has no such description, and the fingerprints are unknown.
    void attempt.calls.settled().then(() => {
      if (this.#attempt === attempt) this.#parts.onLine(line, readFingerprints(attempt.peer));
    });
  }

  #checkConnection(): void {
    const now = performance.now();
    const attempt = this.#attempt;
    const age = attempt === undefined ? 0 : now - attempt.begunAt;
    if (attempt?.line !== undefined) {
      if (this.#isDead(attempt, now)) this.#reconnect();
    } else if (this.#parts.role === 'sender') {
      const hasFailed = attempt?.peer.connectionState === 'failed' && age > PAUSE_MS;
      if (hasFailed || age > this.#lengthen(ATTEMPT_MS)) this.#startAttempt();
    } else if (now - this.#quietSince > this.#lengthen(ASK_AGAIN_MS)) this.#reconnect();
  }

  #lengthen(milliseconds: number): number {
    return milliseconds * Math.min(MAX_LONGER, LONGER ** Math.max(0, this.#tries - 1));
  }

  #reconnect(): void {
    this.#drop();
    this.#quietSince = performance.now();
    if (this.#parts.role === 'sender') this.#startAttempt();
    else {
      this.#parts.sendSignal('again', { attempt: this.#number });
      void this.#renewServers();
    }
  }

  #isDead(attempt: Attempt, now: number): boolean {
    const { connectionState } = attempt.peer;
    if (!attempt.line?.isOpen || connectionState === 'failed' || connectionState === 'closed') return true;
    if (connectionState !== 'disconnected') attempt.disconnectedSince = undefined;
    else attempt.disconnectedSince ??= now;
    return attempt.disconnectedSince !== undefined && now - attempt.disconnectedSince > DISCONNECTED_MS;
  }

  #drop(): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.peer.close();
    attempt?.line?.breakOff();
  }

  /** Runs work on an attempt in turn. Errors are ignored, because a failed attempt simply opens no line. */
  #inTurn(number: number, work: (attempt: Attempt) => Promise<void>): void {
    const attempt = this.#attempt;
    if (attempt === undefined || attempt.number !== number) return;
    attempt.calls.run(() => (this.#attempt === attempt ? work(attempt) : undefined)).catch(() => undefined);
  }

  async #renewServers(): Promise<void> {
    // Without ICE servers, two pages in one network can still connect.
    this.#iceServers = await this.#parts.findIceServers().catch(() => this.#iceServers);
  }
}

/** Reads the fingerprints of both sides of the open connection. */
function readFingerprints(peer: PeerConnection): Fingerprints | undefined {
  const own = readFingerprint(peer.currentLocalDescription?.sdp ?? '');
  const other = readFingerprint(peer.currentRemoteDescription?.sdp ?? '');
  return own === undefined || other === undefined ? undefined : { own, other };
}

interface ConnectionSignal {
  readonly attempt: number;
  readonly description?: SessionDescription;
  readonly candidates?: readonly IceCandidate[];
}

/** The connection validates the rest. */
function isConnectionSignal(payload: unknown): payload is ConnectionSignal {
  if (typeof payload !== 'object' || payload === null || !('attempt' in payload)) return false;
  if ('description' in payload && !isDescription(payload.description)) return false;
  if ('candidates' in payload && !Array.isArray(payload.candidates)) return false;
  return Number.isSafeInteger(payload.attempt);
}

function isDescription(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sdp' in value && typeof value.sdp === 'string';
}
