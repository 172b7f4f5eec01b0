import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely, type Logger, sql, type Transaction } from 'kysely';
import { Semaphore } from '../base/concurrency/semaphore.ts';
import { Failure, isDefiniteFailure } from '../base/failure.ts';
import type { Engine } from './engine.ts';
import { guardDialect, type OpenTransaction } from './guarded-dialect.ts';
import { Topics } from './notifications/topics.ts';
import { Wakeups } from './notifications/wakeups.ts';
import type { Schema } from './tables/schema.ts';

/** Reads, inside or outside a transaction. On SQLite a write outside a transaction throws. */
export type Db = Kysely<Schema>;

/** An open transaction. A function takes it when its changes must commit together with its caller's. */
export type Tx = Transaction<Schema>;

const MAX_ATTEMPTS = 5;

/** The maximum number of long reads that wait for the running one. */
const MAX_WAITING_READS = 200;

/** Called with each statement that was run, except those that begin and end transactions. */
export type OnQuery = (query: { readonly sql: string; readonly parameters: readonly unknown[] }) => void;

/**
 * Called after each transaction with its duration, including the waits for its turn and for its flush. A
 * transaction whose work rejects the request counts as ok: the database did its part.
 */
type OnTransaction = (isOk: boolean, seconds: number) => void;

/** The only access to the database: read with `db`, write with `transact`. */
export class Database {
  readonly db: Db;
  readonly engine: Engine;
  readonly wakeups: Wakeups;
  readonly topics: Topics;
  readonly #openTransaction = new AsyncLocalStorage<OpenTransaction>();
  readonly #beforeCommit = new WeakMap<Tx, (() => Promise<void>)[]>();
  readonly #afterCommit = new WeakMap<Tx, (() => void)[]>();
  /** Handles whose statements do not run on the event loop. */
  readonly #threads: { readonly writing: Db; readonly reading: Db } | undefined;
  readonly #longReads = new Semaphore(1, MAX_WAITING_READS);

  readonly #onTransaction: OnTransaction | undefined;

  constructor(engine: Engine, onQuery?: OnQuery, onTransaction?: OnTransaction) {
    this.engine = engine;
    this.#onTransaction = onTransaction;
    this.wakeups = new Wakeups(engine.notificationChannel);
    this.topics = new Topics(engine.notificationChannel);
    const open = (dialect: Dialect) =>
      new Kysely<Schema>({
        dialect: guardDialect(dialect, this.#openTransaction),
        // Without `log` Kysely does not measure its queries.
        ...(onQuery === undefined ? {} : { log: toLogger(onQuery) }),
      });
    this.db = open(engine.dialect);
    const { threads } = engine;
    this.#threads = threads && { writing: open(threads.writing), reading: open(threads.reading) };
  }

  /**
   * Runs `work` in one transaction and resolves when its commit is durable. When `work` throws, the
   * transaction is rolled back. After a deadlock on PostgreSQL `work` runs again, so it must have no effect
   * outside the database.
   *
   * @throws Failure `unavailable` when the database cannot be reached, or deadlocks do not end
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transactOn(this.db, work);
  }

  /**
   * Like {@link transact}, but a power cut may undo the commit, because nothing waits for a flush. For rows
   * whose loss is harmless, such as those that are deleted when their request ends.
   */
  async transactVolatile<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { volatileCommit } = this.engine;
    const workVolatile = async (tx: Tx) => {
      if (volatileCommit !== undefined) await sql.raw(volatileCommit).execute(tx);
      return await work(tx);
    };
    return await this.#transactOn(this.db, workVolatile, true);
  }

  /**
   * Like {@link transact}, for work that may read or write thousands of rows. On SQLite, such work runs on a
   * thread, so the event loop is not blocked: others can read meanwhile, but their transactions wait.
   *
   * @param isLong asked in the transaction, before the work, and only on an engine that needs the answer
   */
  async transactBySize<T>(isLong: (tx: Tx) => Promise<boolean>, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#threads === undefined) return this.transact(work);
    const short = await this.transact(async (tx) =>
      (await isLong(tx)) ? undefined : { result: await work(tx) },
    );
    return short === undefined ? await this.#transactOn(this.#threads.writing, work) : short.result;
  }

  /**
   * Runs queries that may read many thousands of rows. On SQLite they run on a thread, one caller at a time.
   * Must not be called inside a transaction.
   *
   * @param signal gives up the place in the queue; a running query is not stopped
   * @throws Failure `unavailable` when too many callers wait, or the database cannot be reached
   */
  async readLong<T>(work: (db: Db) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { reading } = this.#threads ?? {};
    if (reading === undefined) return work(this.db);
    return await this.#longReads.run(() => work(reading), signal);
  }

  /**
   * Runs `work` on a snapshot: it reads everything as it was at one moment, while other processes keep
   * writing. On SQLite this process cannot use the database for anything else until `work` ends, so the
   * service never calls it.
   *
   * @throws Failure `unavailable` when the database cannot be reached
   */
  async readSnapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await this.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => this.#guard(tx, work));
    } catch (error) {
      throw this.translate(error);
    }
  }

  /**
   * Runs queries that may read many thousands of rows, and are usually short.
   * @param isLong asked before the queries, and only on an engine that needs the answer
   * @param signal as of {@link readLong}
   * @throws Failure as {@link readLong}
   */
  async readBySize<T>(
    isLong: (db: Db) => Promise<boolean>,
    work: (db: Db) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (this.#threads === undefined || !(await isLong(this.db))) return work(this.db);
    return await this.readLong(work, signal);
  }

  /**
   * Repeats a transaction until it changes fewer than `limit` rows, or the signal aborts. For maintenance of
   * tables of any size.
   * @param work changes at most `limit` rows, and returns their number
   */
  async transactInBatches(
    limit: number,
    signal: AbortSignal,
    work: (tx: Tx, limit: number) => Promise<number>,
  ): Promise<void> {
    for (let changed = limit; changed === limit && !signal.aborted; ) {
      changed = await this.transact((tx) => work(tx, limit));
    }
  }

  /**
   * Runs `callback` in the transaction, after its work and before its commit. For writes to rows that many
   * transactions share, which should be locked for a short time only.
   */
  beforeCommit(tx: Tx, callback: () => Promise<void>): void {
    const callbacks = this.#beforeCommit.get(tx);
    if (callbacks === undefined) this.#beforeCommit.set(tx, [callback]);
    else callbacks.push(callback);
  }

  /** Calls `callback` when the transaction is durable, and never if it fails. `callback` must not throw. */
  afterCommit(tx: Tx, callback: () => void): void {
    const callbacks = this.#afterCommit.get(tx);
    if (callbacks === undefined) this.#afterCommit.set(tx, [callback]);
    else callbacks.push(callback);
  }

  /** Whether other instances of Holdall may use the database at the same time, as on PostgreSQL. */
  get isShared(): boolean {
    return this.engine.notificationChannel !== undefined;
  }

  /** Wakes every caller of `wakeups.wait` with this key, on every instance, when the transaction commits. */
  async notifyOnCommit(tx: Tx, key: string): Promise<void> {
    const { notificationChannel } = this.engine;
    if (notificationChannel === undefined) this.afterCommit(tx, () => this.wakeups.wake(key));
    else await notificationChannel.publishOnCommit(tx, key);
  }

  /**
   * Reads rows whose ids a client may remember, and resolves when they are durable. On SQLite a commit is
   * visible a moment before it is durable. If a power cut removed a row that a client has seen, a new row
   * would get the same id.
   */
  async readDurable<T>(read: (db: Db) => Promise<T>): Promise<T> {
    const result = await read(this.db);
    await this.engine.flush();
    return result;
  }

  /**
   * Turns an error that reports a database outage into a Failure `unavailable`. Returns any other error
   * unchanged.
   */
  translate(error: unknown): unknown {
    const outage = error instanceof Failure ? undefined : this.engine.findOutage(error);
    if (outage === undefined) return error;
    const { message, retryAfterSeconds } = outage;
    return new Failure('unavailable', message, { retryAfterSeconds, cause: error });
  }

  /**
   * Checks that the database answers and that commits become durable.
   * @throws Failure `unavailable` if not
   */
  async check(): Promise<void> {
    try {
      await sql`select 1`.execute(this.db);
      await this.engine.flush();
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Describes the damage in the database files, in the engine's words. Reads the files completely. */
  async findDamage(): Promise<readonly string[]> {
    if (this.engine.integrityQuery === undefined) return [];
    const { rows } = await sql.raw<{ message: string }>(this.engine.integrityQuery).execute(this.db);
    return rows.map(({ message }) => message).filter((message) => message !== 'ok');
  }

  async close(): Promise<void> {
    this.wakeups.close();
    await this.engine.notificationChannel?.close();
    await this.#threads?.reading.destroy();
    await this.#threads?.writing.destroy();
    await this.db.destroy();
  }

  async #transactOn<T>(handle: Db, work: (tx: Tx) => Promise<T>, isVolatile = false): Promise<T> {
    const beganAt = performance.now();
    try {
      const result = await this.#transactAgain(handle, work, isVolatile);
      this.#onTransaction?.(true, (performance.now() - beganAt) / 1_000);
      return result;
    } catch (error) {
      this.#onTransaction?.(isDefiniteFailure(error), (performance.now() - beganAt) / 1_000);
      throw error;
    }
  }

  async #transactAgain<T>(handle: Db, work: (tx: Tx) => Promise<T>, isVolatile: boolean): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transactOnce(handle, work, isVolatile);
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && this.engine.isRetryable(error)) continue;
        throw this.translate(error);
      }
    }
  }

  async #transactOnce<T>(handle: Db, work: (tx: Tx) => Promise<T>, isVolatile: boolean): Promise<T> {
    let callbacks: readonly (() => void)[] = [];
    const result = await handle.transaction().execute(async (tx) => {
      const value = await this.#guard(tx, async () => {
        const result = await work(tx);
        // A callback may add others.
        for (const callback of this.#beforeCommit.get(tx) ?? []) await callback();
        return result;
      });
      callbacks = this.#afterCommit.get(tx) ?? [];
      return value;
    });
    if (!isVolatile) await this.engine.flush();
    for (const callback of callbacks) callback();
    return result;
  }

  /** Makes queries on the root handle throw until `work` ends. */
  async #guard<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
    const transaction: OpenTransaction = { open: true };
    try {
      return await this.#openTransaction.run(transaction, () => work(tx));
    } finally {
      transaction.open = false;
    }
  }
}

/**
 * Leaves out the statements that begin and end transactions: only one of the engines sends them as queries.
 */
function toLogger(onQuery: OnQuery): Logger {
  return ({ query }) => {
    if (!/^(begin|commit|rollback)\b/i.test(query.sql)) onQuery(query);
  };
}
