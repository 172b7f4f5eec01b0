import { setTimeout as sleep } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { doublingDelayMs } from '../../base/backoff.ts';
import type { Wire, WireListener } from '../notifications/notification-channel.ts';

const CHANNELS = { wakeup: 'holdall_word', news: 'holdall_news' } as const;
const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 10_000;
/** What is silently gone is noticed after this and `ANSWER_MS`. */
const PROBE_MS = 30_000;
const ANSWER_MS = 10_000;
const MOST_AT_ONCE = 1_000;
const LAST_WORDS_MS = 1_000;

/**
 * `NOTIFY`, and one connection that listens, made anew whenever it breaks.
 *
 * A transaction that notifies takes a lock of the whole server for its commit, so that such transactions commit one after
 * the other. Words that need not be sent by the transaction itself are therefore posted: by the connection that
 * listens, many in one statement, one statement at a time.
 */
export class PostgresWire implements Wire {
  readonly #url: string;
  readonly #onFault: (error: Error) => void;
  readonly #end = new AbortController();
  readonly #listeners = new Set<WireListener>();
  /** By key, in the order in which they came. */
  readonly #outbox = new Map<string, string>();
  #running: Promise<void> | undefined;
  #posting: Promise<void> | undefined;
  #standing: pg.Client | undefined;

  constructor(url: string, onFault: (error: Error) => void) {
    this.#url = url;
    this.#onFault = onFault;
  }

  async send(tx: QueryExecutorProvider, word: string): Promise<void> {
    await sql`select pg_notify(${CHANNELS.wakeup}, ${word})`.execute(tx);
  }

  post(key: string, word: string): void {
    if (this.#end.signal.aborted) return;
    this.#outbox.set(key, word);
    this.#start();
    this.#postSoon();
  }

  listen(listener: WireListener): void {
    this.#listeners.add(listener);
    this.#start();
    if (this.#standing !== undefined) listener.lookAgain();
  }

  async close(): Promise<void> {
    const enough = AbortSignal.timeout(LAST_WORDS_MS);
    while (this.#posting !== undefined && !enough.aborted) {
      await Promise.race([
        this.#posting,
        sleep(LAST_WORDS_MS, undefined, { signal: enough, ref: false }),
      ]).catch(() => undefined);
    }
    this.#end.abort();
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    let failures = 0;
    const onListening = (client: pg.Client) => {
      failures = 0;
      this.#standing = client;
      for (const { lookAgain } of this.#listeners) lookAgain();
      this.#postSoon();
    };
    while (!signal.aborted) {
      try {
        await this.#listenUntilBroken(onListening);
      } catch (error) {
        if (signal.aborted) return;
        this.#onFault(error instanceof Error ? error : new Error(String(error)));
      }
      const delayMs = doublingDelayMs(failures, FIRST_DELAY_MS, MOST_DELAY_MS);
      failures += 1;
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listenUntilBroken(onListening: (client: pg.Client) => void): Promise<void> {
    const { signal } = this.#end;
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 10_000,
      query_timeout: ANSWER_MS,
      application_name: 'holdall wire',
    });
    const over = Promise.withResolvers<void>();
    const stop = () => over.resolve();
    over.promise.catch(() => undefined);
    client.on('error', over.reject);
    client.on('end', stop);
    client.on('notification', ({ channel, payload }) => this.#hear(channel, payload ?? ''));
    signal.addEventListener('abort', stop);
    let probe: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      for (const channel of Object.values(CHANNELS)) await client.query(`listen ${channel}`);
      if (!signal.aborted) onListening(client);
      probe = setInterval(() => client.query('select 1').catch(over.reject), PROBE_MS);
      await over.promise;
    } finally {
      clearInterval(probe);
      this.#standing = undefined;
      signal.removeEventListener('abort', stop);
      await endAtOnce(client);
    }
  }

  #hear(channel: string, word: string): void {
    for (const { to, hear } of this.#listeners) if (CHANNELS[to] === channel) hear(word);
  }

  #postSoon(): void {
    if (this.#posting !== undefined || this.#standing === undefined || this.#outbox.size === 0) return;
    this.#posting = this.#post(this.#standing).finally(() => {
      this.#posting = undefined;
      // Another connection may stand by now.
      this.#postSoon();
    });
  }

  async #post(client: pg.Client): Promise<void> {
    while (this.#outbox.size > 0 && client === this.#standing) {
      const sent = [...this.#outbox].slice(0, MOST_AT_ONCE);
      for (const [key] of sent) this.#outbox.delete(key);
      try {
        await client.query('select pg_notify($1, word) from unnest($2::text[]) as word', [
          CHANNELS.news,
          sent.map(([, word]) => word),
        ]);
      } catch (error) {
        for (const [key, word] of sent) if (!this.#outbox.has(key)) this.#outbox.set(key, word);
        // Whether it is broken or only slow: a new one is sure.
        if (client === this.#standing) this.#standing = undefined;
        client.emit('error', error);
      }
    }
  }
}

/** Says goodbye to a server that is there, and does not wait for one that is not. */
async function endAtOnce(client: pg.Client): Promise<void> {
  const goodbye = client.end().catch(() => undefined);
  await Promise.race([goodbye, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
}
