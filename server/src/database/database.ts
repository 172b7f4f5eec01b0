import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, type Logger, sql, type Transaction } from 'kysely';
import { Failure } from '../base/failure.ts';
import type { Engine } from './engine.ts';
import { guardDialect, type OpenTransaction } from './guarded-dialect.ts';
import { Announcements } from './notifications/announcements.ts';
import { Wakeups } from './notifications/wakeups.ts';
import type { Schema } from './tables/schema.ts';

/** For reading, inside or outside a transaction. A statement that writes outside one is refused. */
export type Db = Kysely<Schema>;

/** An open transaction: for whatever must happen with the caller's changes or not at all. */
export type Tx = Transaction<Schema>;

const MOST_RUNS = 5;

/** Is told each statement that was run, except those that begin and end transactions. */
export type WatchQuery = (query: { readonly sql: string; readonly parameters: readonly unknown[] }) => void;

/** The one way to the database: reads on `db`, changes through `transact`. */
export class Database {
  readonly db: Db;
  readonly engine: Engine;
  readonly wakeups: Wakeups;
  readonly announcements: Announcements;
  readonly #running = new AsyncLocalStorage<OpenTransaction>();
  readonly #afterCommit = new WeakMap<Tx, (() => void)[]>();

  constructor(engine: Engine, watchQuery?: WatchQuery) {
    this.engine = engine;
    this.wakeups = new Wakeups(engine.wire);
    this.announcements = new Announcements(engine.wire);
    this.db = new Kysely<Schema>({
      dialect: guardDialect(engine.dialect, this.#running),
      // Without a watcher Kysely does not measure either.
      ...(watchQuery === undefined ? {} : { log: toLogger(watchQuery) }),
    });
  }

  /**
   * Runs the work in one transaction and resolves when its commit is durable. When the work throws, nothing of it
   * stays. A deadlock on PostgreSQL runs it again, so the work changes nothing but the database.
   *
   * @throws Failure `unavailable` when the database is out of reach
   */
  async transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let run = 1; ; run += 1) {
      try {
        return await this.#transactOnce(work);
      } catch (error) {
        if (run < MOST_RUNS && this.engine.isRetryable(error)) continue;
        throw this.translate(error);
      }
    }
  }

  /**
   * Lets the work read everything as it was at one moment, however long it takes, while others go on writing. On SQLite
   * this program can do nothing else with the database meanwhile, so it is not for the service.
   *
   * @throws Failure `unavailable` when the database is out of reach
   */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await this.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => this.#watch(tx, work));
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Has `then` called once the transaction is durable; never when it fails. Must not throw. */
  afterCommit(tx: Tx, then: () => void): void {
    const calls = this.#afterCommit.get(tx);
    if (calls === undefined) this.#afterCommit.set(tx, [then]);
    else calls.push(then);
  }

  /** Wakes, once the transaction is committed, all who wait under the key, on every instance. */
  async tell(tx: Tx, key: string): Promise<void> {
    if (this.engine.wire === undefined) this.afterCommit(tx, () => this.wakeups.wake(key));
    else await this.engine.wire.send(tx, key);
  }

  /**
   * Reads what may be told to somebody who remembers it. On SQLite a commit is seen a moment before it is durable, and
   * what a power cut takes away would come again as something else under the same number.
   */
  async readDurable<T>(read: (db: Db) => Promise<T>): Promise<T> {
    const found = await read(this.db);
    await this.engine.flushed();
    return found;
  }

  /** The error in our words where it says that the database is out of reach; otherwise the error itself. */
  translate(error: unknown): unknown {
    if (error instanceof Failure || !this.engine.isUnavailable(error)) return error;
    return new Failure('unavailable', 'The database is out of reach. Please try again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }

  /** Ends with an error unless the database answers and what is committed becomes durable. */
  async check(): Promise<void> {
    try {
      await sql`select 1`.execute(this.db);
      await this.engine.flushed();
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** What is damaged in the files of the database, as the engine puts it; reads all of them. */
  async findDamage(): Promise<readonly string[]> {
    if (this.engine.damageQuery === undefined) return [];
    const { rows } = await sql.raw<{ message: string }>(this.engine.damageQuery).execute(this.db);
    return rows.map(({ message }) => message).filter((message) => message !== 'ok');
  }

  async close(): Promise<void> {
    this.wakeups.close();
    await this.engine.wire?.close();
    await this.db.destroy();
  }

  async #transactOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let calls: readonly (() => void)[] = [];
    const result = await this.db.transaction().execute(async (tx) => {
      const value = await this.#watch(tx, work);
      calls = this.#afterCommit.get(tx) ?? [];
      return value;
    });
    await this.engine.flushed();
    for (const call of calls) call();
    return result;
  }

  /** Has a query on the root handle refused until the work ends. */
  async #watch<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
    const mark: OpenTransaction = { open: true };
    try {
      return await this.#running.run(mark, () => work(tx));
    } finally {
      mark.open = false;
    }
  }
}

/** Leaves out what begins and ends transactions: the engines differ in whether they send that as statements. */
function toLogger(watchQuery: WatchQuery): Logger {
  return ({ query }) => {
    if (!/^(begin|commit|rollback)\b/i.test(query.sql)) watchQuery(query);
  };
}
