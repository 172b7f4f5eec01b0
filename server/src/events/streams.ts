import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import type { AccountInDrive } from '../base/domain/drives.ts';
import { Failure } from '../base/failure.ts';
import type { Database } from '../database/database.ts';
import { type EventStream, toFrame } from '../http/event-stream.ts';
import {
  ACCOUNT_MESSAGE_TYPES,
  ACCOUNT_MESSAGES,
  type AccountMessage,
  type AccountMessageType,
} from './account-messages.ts';
import type { Events } from './events.ts';
import type { EventHub } from './hub.ts';
import { type MessageStream, type MessageWriter, toMessageStream } from './message-writer.ts';
import { type EventFilter, Subscription } from './subscription.ts';

/**
 * The maximum number of streams per account on one instance, so that one account cannot use up all sockets.
 */
const MAX_STREAMS_PER_ACCOUNT = 64;
const HEARTBEAT_MS = 15 * SECOND;
/** The heartbeats of all streams are spread over the interval in this many groups. */
const HEARTBEAT_SLOTS = 15;
const LOGIN_CHECK_MS = 2 * SECOND;
const STREAMS_PER_QUERY = 500;

/** The login that a stream depends on. */
interface StreamLogin {
  readonly sessionId: string;
  readonly tokenExpiresAt: Instant;
}

/** Returns those of the sessions that are still valid. */
type FindLiveSessions = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Returns, for each of the accounts in order, whether it is a member of the shared drive. */
type FindMembers = (members: readonly AccountInDrive[]) => Promise<readonly boolean[]>;

interface OpenStream {
  readonly stream: EventStream;
  readonly filter: EventFilter;
  readonly messages: MessageStream;
  readonly login: StreamLogin;
  readonly slot: number;
  /** The messages for the account that wait for the client to read what came before. */
  readonly announcing: Set<AccountMessageType>;
}

interface EventStreamsParts {
  readonly database: Database;
  readonly events: Events;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly findLiveSessions: FindLiveSessions;
  readonly findMembers: FindMembers;
  /** Called once when the logins of streams can no longer be checked. */
  readonly onFault: (error: unknown) => void;
  /** Whether the number of streams of one account is limited. */
  readonly rateLimits: boolean;
  readonly beatMs?: number | undefined;
}

/**
 * The open event streams of this instance. A stream ends when its token expires, its session ends, its account
 * is no longer a member of the drive, or its client leaves.
 */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #maxStreamsPerAccount: number;
  readonly #beatMs: number;
  readonly #open = new Set<OpenStream>();
  /** The number of streams of each account, including those that are about to be opened. */
  readonly #counts = new Map<number, number>();
  #timers: readonly NodeJS.Timeout[] = [];
  #addedCount = 0;
  #slot = 0;
  #isCheckingLogins = false;
  /** Whether the current series of failed checks was already reported. */
  #hasReported = false;
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    this.#maxStreamsPerAccount = parts.rateLimits ? MAX_STREAMS_PER_ACCOUNT : Number.POSITIVE_INFINITY;
    this.#beatMs = parts.beatMs ?? HEARTBEAT_MS;
    parts.database.topics.subscribe(ACCOUNT_MESSAGES, {
      onMessage: (message) => this.#onAccountMessage(message),
      // Messages about any account may have been lost.
      onReconnect: () => {
        for (const eventType of ACCOUNT_MESSAGE_TYPES) this.#announce(eventType, [...this.#open]);
      },
    });
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
    const uncount = this.#count(filter.accountId);
    // Joined before the start is queried, so that the feed is notified of all events that are committed
    // afterwards.
    const { feed, leave } = this.#parts.hub.join(filter.driveId);
    let written: Promise<void> | undefined;
    try {
      const start = await this.#parts.events.findStart(filter.driveId, lastSeenId);
      if (this.#isClosed) throw closing();
      const stream = openStream();
      const subscription = new Subscription(stream, filter, start.id);
      const opened = this.#add(subscription, login);
      try {
        // The membership may have ended after the request was admitted, but before the stream was added.
        this.#endFormerMembers([opened]);
        for (const type of start.hasGap ? ['READY', 'RESYNC'] : ['READY']) {
          stream.write(this.#toStreamFrame(type, filter, start.id));
        }
        written = writer?.(opened.messages);
        await feed.serve(subscription, lastSeenId !== undefined);
      } finally {
        stream.end();
        this.#remove(opened);
      }
    } finally {
      leave();
      uncount();
    }
    await written;
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#open) stream.end();
  }

  /**
   * Counts a stream of the account. Returns a function that ends this.
   * @throws Failure `too-many`
   */
  #count(accountId: number): () => void {
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= this.#maxStreamsPerAccount) throw tooManyStreams();
    this.#counts.set(accountId, count + 1);
    return () => {
      const left = (this.#counts.get(accountId) ?? 1) - 1;
      if (left === 0) this.#counts.delete(accountId);
      else this.#counts.set(accountId, left);
    };
  }

  #add(subscription: Subscription, login: StreamLogin): OpenStream {
    const opened = {
      stream: subscription.stream,
      filter: subscription.filter,
      messages: toMessageStream(subscription),
      login,
      slot: this.#addedCount % HEARTBEAT_SLOTS,
      announcing: new Set<AccountMessageType>(),
    };
    this.#addedCount += 1;
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
      for (const some of batchesOf([...this.#open])) {
        const live = await this.#parts.findLiveSessions([
          ...new Set(some.map(({ login }) => login.sessionId)),
        ]);
        for (const { stream, login } of some) if (!live.has(login.sessionId)) stream.end();
      }
      // Messages about members may have been lost.
      await this.#checkMembers([...this.#open]);
      this.#hasReported = false;
    } catch (error) {
      // While the database is unavailable there are no new events either. The next check tries again.
      if (!this.#hasReported) this.#parts.onFault(error);
      this.#hasReported = true;
    } finally {
      this.#isCheckingLogins = false;
    }
  }

  /** Ends those of the streams whose accounts are no longer members of their shared drives. */
  async #checkMembers(streams: readonly OpenStream[]): Promise<void> {
    const inSharedDrives = streams.filter(({ filter }) => filter.isShared);
    for (const some of batchesOf(inSharedDrives)) {
      const areMembers = await this.#parts.findMembers(some.map(({ filter }) => filter));
      for (const [index, { stream }] of some.entries()) if (areMembers[index] !== true) stream.end();
    }
  }

  /** Like {@link #checkMembers}, in the background. If it fails, the next check of the logins tries again. */
  #endFormerMembers(streams: readonly OpenStream[]): void {
    void this.#checkMembers(streams).catch(() => undefined);
  }

  #onAccountMessage(message: string): void {
    // Written by `account-messages.ts`, perhaps by another version of it.
    const { eventType, accountIds } = JSON.parse(message) as AccountMessage;
    const concerned = new Set(accountIds);
    this.#announce(
      eventType,
      [...this.#open].filter(({ filter }) => concerned.has(filter.accountId)),
    );
  }

  /**
   * Sends the message to the streams of personal drives. If drives have changed, streams of shared drives end
   * whose accounts are no longer members.
   */
  #announce(eventType: AccountMessageType, streams: readonly OpenStream[]): void {
    if (eventType === 'DRIVES_CHANGED') this.#endFormerMembers(streams);
    for (const opened of streams) if (!opened.filter.isShared) void this.#send(eventType, opened);
  }

  /** Sends a message, which has no path. One that is about to be sent covers later changes. */
  async #send(eventType: AccountMessageType, { announcing, messages }: OpenStream): Promise<void> {
    if (announcing.has(eventType)) return;
    announcing.add(eventType);
    const createdAt = toTimestamp(this.#parts.clock.now());
    await messages.send(eventType, JSON.stringify({ eventType, createdAt }));
    announcing.delete(eventType);
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

function batchesOf(streams: readonly OpenStream[]): readonly (readonly OpenStream[])[] {
  const count = Math.ceil(streams.length / STREAMS_PER_QUERY);
  return Array.from({ length: count }, (_, index) =>
    streams.slice(index * STREAMS_PER_QUERY, (index + 1) * STREAMS_PER_QUERY),
  );
}

function tooManyStreams(): Failure {
  return new Failure('too-many', 'Too many event streams of this account are open.', {
    retryAfterSeconds: 15,
  });
}

function closing(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfterSeconds: 10 });
}
