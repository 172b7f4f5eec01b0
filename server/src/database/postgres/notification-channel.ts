import { setTimeout as sleep } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { doublingDelayMs } from '../../base/backoff.ts';
import { toError } from '../../base/errors.ts';
import type { ChannelSubscriber, NotificationChannel } from '../notifications/notification-channel.ts';
import { destroySocket, KEEP_ALIVE } from './sockets.ts';

/**
 * The names of the PostgreSQL channels. Instances of different versions share them, so they must never
 * change.
 */
const CHANNEL_NAMES = { wakeup: 'holdall_word', topic: 'holdall_news' } as const;

const INITIAL_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A silently lost connection is noticed after the probe interval plus the query timeout. */
const PROBE_INTERVAL_MS = 30_000;
const QUERY_TIMEOUT_MS = 10_000;
const MAX_MESSAGES_PER_STATEMENT = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * `LISTEN` and `NOTIFY` over one connection, which is opened on first use and reconnects whenever it breaks.
 *
 * A transaction that calls `NOTIFY` locks the whole PostgreSQL server while it commits, so such transactions
 * commit one after another. Messages that need not be part of a transaction are therefore sent by the
 * listening connection itself: many in one statement, and one statement at a time.
 */
export class PostgresNotificationChannel implements NotificationChannel {
  readonly #url: string;
  readonly #onFault: (error: Error) => void;
  readonly #closing = new AbortController();
  readonly #subscribers = new Set<ChannelSubscriber>();
  /** Messages waiting to be sent, by key, oldest key first. */
  readonly #outbox = new Map<string, string>();
  #connectionLoop: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  /** The connection; undefined while it is not usable. */
  #client: pg.Client | undefined;

  constructor(url: string, onFault: (error: Error) => void) {
    this.#url = url;
    this.#onFault = onFault;
  }

  async publishOnCommit(tx: QueryExecutorProvider, message: string): Promise<void> {
    await sql`select pg_notify(${CHANNEL_NAMES.wakeup}, ${message})`.execute(tx);
  }

  publish(key: string, message: string): void {
    if (this.#closing.signal.aborted) return;
    this.#outbox.set(key, message);
    this.#start();
    this.#sendSoon();
  }

  subscribe(subscriber: ChannelSubscriber): void {
    this.#subscribers.add(subscriber);
    this.#start();
    if (this.#client !== undefined) subscriber.onReconnect();
  }

  async close(): Promise<void> {
    const timeout = AbortSignal.timeout(CLOSE_TIMEOUT_MS);
    while (this.#sending !== undefined && !timeout.aborted) {
      await Promise.race([
        this.#sending,
        sleep(CLOSE_TIMEOUT_MS, undefined, { signal: timeout, ref: false }),
      ]).catch(() => undefined);
    }
    this.#closing.abort();
    await this.#connectionLoop;
  }

  #start(): void {
    this.#connectionLoop ??= this.#keepConnected();
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    const onConnected = (client: pg.Client) => {
      failures = 0;
      this.#client = client;
      for (const { onReconnect } of this.#subscribers) onReconnect();
      this.#sendSoon();
    };
    while (!signal.aborted) {
      try {
        await this.#listenUntilDisconnected(onConnected);
      } catch (error) {
        if (signal.aborted) return;
        this.#onFault(toError(error));
      }
      const delayMs = doublingDelayMs(failures, INITIAL_RECONNECT_DELAY_MS, MAX_RECONNECT_DELAY_MS);
      failures += 1;
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listenUntilDisconnected(onConnected: (client: pg.Client) => void): Promise<void> {
    const { signal } = this.#closing;
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      ...KEEP_ALIVE,
      application_name: 'holdall notifications',
    });
    const disconnected = Promise.withResolvers<void>();
    const stop = () => disconnected.resolve();
    disconnected.promise.catch(() => undefined);
    client.on('error', disconnected.reject);
    client.on('end', stop);
    client.on('notification', ({ channel, payload }) => this.#deliver(channel, payload ?? ''));
    signal.addEventListener('abort', stop);
    let probe: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      for (const name of Object.values(CHANNEL_NAMES)) await client.query(`listen ${name}`);
      if (!signal.aborted) onConnected(client);
      probe = setInterval(() => client.query('select 1').catch(disconnected.reject), PROBE_INTERVAL_MS);
      await disconnected.promise;
    } finally {
      clearInterval(probe);
      this.#client = undefined;
      signal.removeEventListener('abort', stop);
      await disconnect(client);
    }
  }

  #deliver(channelName: string, message: string): void {
    for (const { kind, onMessage } of this.#subscribers) {
      if (CHANNEL_NAMES[kind] !== channelName) continue;
      try {
        onMessage(message);
      } catch (error) {
        // Anyone with access to the database can send messages that no instance would send.
        this.#onFault(new Error('A notification of the database could not be read.', { cause: error }));
      }
    }
  }

  #sendSoon(): void {
    if (this.#sending !== undefined || this.#client === undefined || this.#outbox.size === 0) return;
    this.#sending = this.#send(this.#client).finally(() => {
      this.#sending = undefined;
      // The channel may have reconnected while this ran.
      this.#sendSoon();
    });
  }

  async #send(client: pg.Client): Promise<void> {
    while (this.#outbox.size > 0 && client === this.#client) {
      const batch = [...this.#outbox].slice(0, MAX_MESSAGES_PER_STATEMENT);
      for (const [key] of batch) this.#outbox.delete(key);
      try {
        await client.query('select pg_notify($1, message) from unnest($2::text[]) as message', [
          CHANNEL_NAMES.topic,
          batch.map(([, message]) => message),
        ]);
      } catch (error) {
        for (const [key, message] of batch) if (!this.#outbox.has(key)) this.#outbox.set(key, message);
        // The connection may be broken or just slow. Reconnect in both cases.
        if (client === this.#client) this.#client = undefined;
        client.emit('error', error);
      }
    }
  }
}

/** Closes the connection in an orderly way, but does not wait for a server that no longer responds. */
async function disconnect(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  destroySocket(client);
}
