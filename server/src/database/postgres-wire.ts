import { setTimeout as sleep } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { doublingDelayMs } from '../base/backoff.ts';
import type { Wire, WireListener } from './wire.ts';

const CHANNEL = 'holdall_word';
const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 10_000;

/** `NOTIFY` inside transactions, and one connection that listens, made anew whenever it breaks. */
export class PostgresWire implements Wire {
  readonly #url: string;
  readonly #onFault: (error: Error) => void;
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;

  constructor(url: string, onFault: (error: Error) => void) {
    this.#url = url;
    this.#onFault = onFault;
  }

  async send(tx: QueryExecutorProvider, word: string): Promise<void> {
    await sql`select pg_notify(${CHANNEL}, ${word})`.execute(tx);
  }

  listen(listener: WireListener): void {
    this.#running ??= this.#run(listener);
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run({ hear, lookAgain }: WireListener): Promise<void> {
    const { signal } = this.#end;
    let failures = 0;
    const onListening = () => {
      failures = 0;
      lookAgain();
    };
    while (!signal.aborted) {
      try {
        await this.#listenUntilBroken(hear, onListening);
      } catch (error) {
        if (signal.aborted) return;
        this.#onFault(error instanceof Error ? error : new Error(String(error)));
      }
      const delayMs = doublingDelayMs(failures, FIRST_DELAY_MS, MOST_DELAY_MS);
      failures += 1;
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listenUntilBroken(hear: (word: string) => void, onListening: () => void): Promise<void> {
    const { signal } = this.#end;
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 10_000,
      application_name: 'holdall',
      // Nothing is ever sent on it: only this tells of a peer that is silently gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    });
    const over = Promise.withResolvers<void>();
    const stop = () => over.resolve();
    over.promise.catch(() => undefined);
    client.on('error', over.reject);
    client.on('end', stop);
    client.on('notification', ({ payload }) => hear(payload ?? ''));
    signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (!signal.aborted) onListening();
      await over.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      await client.end().catch(() => undefined);
    }
  }
}
