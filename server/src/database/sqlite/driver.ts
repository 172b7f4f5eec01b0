import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type { SqliteSession } from './session.ts';
import { lockWrites } from './write-lock.ts';

interface DriverHooks {
  /** Called after the commit of each transaction that may have written. */
  readonly onCommit: () => void;
  /** Counts the transactions that write, and those that wait for their turn. */
  readonly load: { inUse: number; waiting: number };
  readonly afterClose?: () => Promise<void>;
}

/**
 * Runs Kysely's queries on one connection. It differs from Kysely's own driver in three ways: it keeps
 * prepared statements; a transaction takes the write lock when it begins; and writing outside a transaction
 * throws, because the result would not wait for the flush. See docs/decisions/0008-sqlite-driver.md.
 */
export class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #session: SqliteSession;
  readonly #hooks: DriverHooks;
  readonly #connection: DatabaseConnection;
  #lastInQueue: Promise<void> = Promise.resolve();
  #release: () => void = () => {};
  #unlock: (() => void) | undefined;

  /** @param file the path that identifies the database, the same for all connections to it */
  constructor(file: string, session: SqliteSession, hooks: DriverHooks) {
    this.#file = file;
    this.#session = session;
    this.#hooks = hooks;
    this.#connection = toConnection(session);
  }

  async init(): Promise<void> {}

  /** There is one connection: callers get it one after another, in the order of their calls. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const previous = this.#lastInQueue;
    const own = Promise.withResolvers<void>();
    this.#lastInQueue = own.promise;
    await previous;
    this.#release = own.resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(
    _connection: DatabaseConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    if (accessMode === 'read only') {
      await this.#session.begin(true);
      return;
    }
    // While this waits for a writer on another thread, others may read on this connection.
    await this.releaseConnection();
    const { load } = this.#hooks;
    load.waiting += 1;
    const unlock = await lockWrites(this.#file).finally(() => {
      load.waiting -= 1;
    });
    await this.acquireConnection();
    load.inUse += 1;
    this.#unlock = () => {
      load.inUse -= 1;
      unlock();
    };
    try {
      await this.#session.begin(false);
    } catch (error) {
      this.#endWriting();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    await this.#session.commit();
    if (this.#endWriting()) this.#hooks.onCommit();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      await this.#session.rollback();
    } finally {
      this.#endWriting();
    }
  }

  /** Releases the write lock if this transaction holds it. Returns false for a read-only transaction. */
  #endWriting(): boolean {
    const unlock = this.#unlock;
    this.#unlock = undefined;
    unlock?.();
    return unlock !== undefined;
  }

  /** First waits for the transactions and queries that are already in the queue. */
  async destroy(): Promise<void> {
    const unlock = await lockWrites(this.#file);
    try {
      await this.#lastInQueue;
      await this.#session.close();
    } finally {
      unlock();
    }
    await this.#hooks.afterClose?.();
  }
}

function toConnection(session: SqliteSession): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, changes } = await session.execute(sql, parameters);
      // `R` comes from the schema types; SQLite cannot check it.
      return { rows: rows as R[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
    },
    // biome-ignore lint/correctness/useYield: it only throws.
    streamQuery: async function* () {
      throw new Error('Rows cannot be streamed from SQLite. Read them in pages.');
    },
  };
}
