import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import { Failure } from '../base/failure.ts';
import { type EventStream, toFrame } from '../http/event-stream.ts';
import type { Events } from './events.ts';
import type { EventHub } from './hub.ts';
import { type MessageWriter, toMessageStream } from './message-writer.ts';
import { type EventFilter, Subscription } from './subscription.ts';

/**
 * The maximum number of streams per account on one instance, so that one account cannot use up all sockets.
 */
const MAX_STREAMS_PER_DRIVE = 64;
const HEARTBEAT_MS = 15 * SECOND;
/** The heartbeats of all streams are spread over the interval in this many groups. */
const HEARTBEAT_SLOTS = 15;
const LOGIN_CHECK_MS = 2 * SECOND;
const LOGINS_PER_QUERY = 500;

/** The login that a stream depends on. */
interface StreamLogin {
  readonly sessionId: string;
  readonly tokenExpiresAt: Instant;
}

/** Returns those of the sessions that are still valid. */
type FindLiveSessions = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;

interface OpenStream {
  readonly stream: EventStream;
  readonly login: StreamLogin;
  readonly slot: number;
}

interface EventStreamsParts {
  readonly events: Events;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly findLiveSessions: FindLiveSessions;
  /** Called once when the logins of streams can no longer be checked. */
  readonly onFault: (error: unknown) => void;
  /** Whether the number of streams of one account is limited. */
  readonly rateLimits: boolean;
  readonly beatMs?: number | undefined;
}

/**
 * The open event streams of this instance. A stream ends when its token expires, its session ends or its
 * client leaves.
 */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #maxStreamsPerDrive: number;
  readonly #beatMs: number;
  readonly #open = new Set<OpenStream>();
  #timers: readonly NodeJS.Timeout[] = [];
  #count = 0;
  #slot = 0;
  #isCheckingLogins = false;
  /** Whether the current series of failed checks was already reported. */
  #hasReported = false;
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    this.#maxStreamsPerDrive = parts.rateLimits ? MAX_STREAMS_PER_DRIVE : Number.POSITIVE_INFINITY;
    this.#beatMs = parts.beatMs ?? HEARTBEAT_MS;
  }

  /** The number of open streams. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream and serves it until it ends.
   * @param start.lastSeenId the last event that the client has seen; undefined for a new client; NaN for an
   *   invalid id
   * @param start.writer writes additional messages to the stream
   * @param openStream called once, after which an error response is no longer possible
   * @throws Failure `too-many`; `unavailable` while closing; errors from reading events, even after the
   *   stream was opened
   */
  async serve(
    filter: EventFilter,
    login: StreamLogin,
    { lastSeenId, writer }: { lastSeenId: number | undefined; writer: MessageWriter | undefined },
    openStream: () => EventStream,
  ): Promise<void> {
    const { driveId } = filter;
    if (this.#parts.hub.countStreams(driveId) >= this.#maxStreamsPerDrive) throw tooManyStreams();
    // Joined before the start is queried, so that the feed is notified of all events that are committed
    // afterwards.
    const { feed, leave } = this.#parts.hub.join(driveId);
    let written: Promise<void> | undefined;
    try {
      const start = await this.#parts.events.findStart(driveId, lastSeenId);
      if (this.#isClosed) throw closing();
      const stream = openStream();
      const opened = this.#add(stream, login);
      try {
        for (const type of start.hasGap ? ['READY', 'RESYNC'] : ['READY']) {
          stream.write(this.#toStreamFrame(type, filter, start.id));
        }
        const subscription = new Subscription(stream, filter, start.id);
        written = writer?.(toMessageStream(subscription));
        await feed.serve(subscription, lastSeenId !== undefined);
      } finally {
        stream.end();
        this.#remove(opened);
      }
    } finally {
      leave();
    }
    await written;
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.end();
  }

  #add(stream: EventStream, login: StreamLogin): OpenStream {
    const opened = { stream, login, slot: this.#count % HEARTBEAT_SLOTS };
    this.#count += 1;
    this.#open.add(opened);
    if (this.#open.size === 1) {
      this.#timers = [
        setInterval(() => this.#beat(), this.#beatMs / HEARTBEAT_SLOTS),
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
    this.#slot = (this.#slot + 1) % HEARTBEAT_SLOTS;
    for (const { stream, slot } of this.#open) if (slot === this.#slot) stream.beat();
    if (this.#slot === 0) void this.#parts.hub.checkForMissedEvents();
  }

  /** Ends the streams whose logins are no longer valid. Never throws. */
  async #checkLogins(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const { stream, login } of this.#open) if (login.tokenExpiresAt <= now) stream.end();
    if (this.#isCheckingLogins) return;
    this.#isCheckingLogins = true;
    try {
      const open = [...this.#open];
      for (let start = 0; start < open.length; start += LOGINS_PER_QUERY) {
        const some = open.slice(start, start + LOGINS_PER_QUERY);
        const live = await this.#parts.findLiveSessions([
          ...new Set(some.map(({ login }) => login.sessionId)),
        ]);
        for (const { stream, login } of some) if (!live.has(login.sessionId)) stream.end();
      }
      this.#hasReported = false;
    } catch (error) {
      // While the database is unavailable there are no new events either. The next check tries again.
      if (!this.#hasReported) this.#parts.onFault(error);
      this.#hasReported = true;
    } finally {
      this.#isCheckingLogins = false;
    }
  }

  /** A frame that is not an event of the drive. Its id lets the client resume here if the stream breaks. */
  #toStreamFrame(eventType: string, { path, clientId }: EventFilter, lastEventId: number): Buffer {
    const createdAt = toTimestamp(this.#parts.clock.now());
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
