import { type Clock, type Instant, SECOND, toTimestamp } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { type EventStream, toFrame } from '../http/event-stream.ts';
import type { Events } from './events.ts';
import type { EventHub } from './hub.ts';
import { type Interest, Subscription } from './subscription.ts';

/** On one instance: so that one person cannot take all its sockets. */
const MOST_OF_ONE_OWNER = 64;
export const BEAT_MS = 15 * SECOND;
/** Heartbeats are spread over their time, so that a thousand streams are not written to at once. */
const SLOTS = 15;
const LOGIN_CHECK_MS = 2 * SECOND;

/** By what right a stream is open. */
export interface Login {
  readonly sessionId: string;
  readonly tokenExpiresAt: Instant;
}

/** Which of these sessions are good. */
export type FindLiveSessions = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;

interface OpenStream {
  readonly stream: EventStream;
  readonly login: Login;
  readonly slot: number;
}

/** The event streams that are open here, each as long as its token is good, its session lives and its reader reads. */
export class EventStreams {
  readonly #events: Events;
  readonly #hub: EventHub;
  readonly #clock: Clock;
  readonly #findLiveSessions: FindLiveSessions;
  readonly #mostOfOneOwner: number;
  readonly #beatMs: number;
  readonly #open = new Set<OpenStream>();
  #timers: readonly NodeJS.Timeout[] = [];
  #count = 0;
  #slot = 0;
  #isCheckingLogins = false;
  #isClosed = false;

  constructor(parts: {
    events: Events;
    hub: EventHub;
    clock: Clock;
    findLiveSessions: FindLiveSessions;
    /** Off: no limit on the streams of one person. */
    rateLimits: boolean;
    beatMs?: number | undefined;
  }) {
    this.#events = parts.events;
    this.#hub = parts.hub;
    this.#clock = parts.clock;
    this.#findLiveSessions = parts.findLiveSessions;
    this.#mostOfOneOwner = parts.rateLimits ? MOST_OF_ONE_OWNER : Number.POSITIVE_INFINITY;
    this.#beatMs = parts.beatMs ?? BEAT_MS;
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream and serves it until it is over.
   * @param seen the number up to which the reader knows everything; undefined for one that is new; NaN for what is no number
   * @param openStream called when nothing else is to be answered any more
   * @throws Failure `too-many`; `unavailable` while closing; whatever reading events throws, also when the stream is open
   */
  async serve(
    interest: Interest,
    login: Login,
    seen: number | undefined,
    openStream: () => EventStream,
  ): Promise<void> {
    const { ownerId } = interest;
    if (this.#hub.countStreams(ownerId) >= this.#mostOfOneOwner) throw tooManyStreams();
    // Before looking where to begin: what is committed behind the look, the feed is told of.
    const { feed, leave } = this.#hub.join(ownerId);
    try {
      const place = await this.#events.findStart(ownerId, seen);
      if (this.#isClosed) throw closing();
      const stream = openStream();
      const opened = this.#add(stream, login);
      try {
        for (const type of place.hasGap ? ['READY', 'RESYNC'] : ['READY']) {
          stream.write(this.#toOwnFrame(type, interest, place.id));
        }
        await feed.serve(new Subscription(stream, interest, place.id), seen !== undefined);
      } finally {
        stream.end();
        this.#remove(opened);
      }
    } finally {
      leave();
    }
  }

  /** Ends all streams; there will be no others. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.end();
  }

  #add(stream: EventStream, login: Login): OpenStream {
    const opened = { stream, login, slot: this.#count % SLOTS };
    this.#count += 1;
    this.#open.add(opened);
    if (this.#open.size === 1) {
      this.#timers = [
        setInterval(() => this.#beat(), this.#beatMs / SLOTS),
        setInterval(() => void this.#checkLogins(), LOGIN_CHECK_MS),
      ];
    }
    return opened;
  }

  #remove(opened: OpenStream): void {
    this.#open.delete(opened);
    if (this.#open.size > 0) return;
    for (const timer of this.#timers) clearInterval(timer);
  }

  #beat(): void {
    this.#slot = (this.#slot + 1) % SLOTS;
    for (const { stream, slot } of this.#open) if (slot === this.#slot) stream.beat();
    if (this.#slot === 0) void this.#hub.checkForMissedEvents();
  }

  /** One question for all streams. */
  async #checkLogins(): Promise<void> {
    if (this.#isCheckingLogins) return;
    this.#isCheckingLogins = true;
    const now = this.#clock.now();
    try {
      const asked = [...this.#open];
      const live = await this.#findLiveSessions([...new Set(asked.map(({ login }) => login.sessionId))]);
      for (const { stream, login } of asked) {
        if (login.tokenExpiresAt <= now || !live.has(login.sessionId)) stream.end();
      }
    } catch {
      // The database is out of reach. So are events; it is asked again.
    } finally {
      this.#isCheckingLogins = false;
    }
  }

  /** What is no event of the drive. The number says where the reader is now, should the stream break. */
  #toOwnFrame(eventType: string, { path, clientId }: Interest, lastEventId: number): Buffer {
    const createdAt = toTimestamp(this.#clock.now());
    return toFrame(
      lastEventId,
      eventType,
      JSON.stringify({ eventType, path, clientId, createdAt, lastEventId }),
    );
  }
}

function tooManyStreams(): Failure {
  return new Failure('too-many', 'Too many event streams of this account are open.', {
    retryAfterSeconds: 15,
  });
}

function closing(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfterSeconds: 10 });
}
