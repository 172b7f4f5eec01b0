import type { Database as Connection, Statement } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';

const MAX_STATEMENTS = 500;

/**
 * Serializes the transactions of all connections of this process to the same file. `begin immediate` waits
 * for the file's write lock synchronously. If another connection of this process held the lock, the blocked
 * thread could never release it.
 */
const transactionMutex = new KeyedMutex<string>();

/**
 * Runs Kysely's queries on one better-sqlite3 connection. It differs from Kysely's own driver in three ways:
 * it keeps prepared statements; a transaction takes the write lock when it begins; and a statement that
 * writes outside a transaction throws, because its result would not wait for the flush. See
 * docs/decisions/0008-sqlite-driver.md.
 */
export class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #afterClose: () => Promise<void>;
  readonly #session: SqliteConnection;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #lastInQueue: Promise<void> = Promise.resolve();
  #unlock: () => void = () => {};

  constructor(connection: Connection, afterClose: () => Promise<void>) {
    this.#connection = connection;
    this.#afterClose = afterClose;
    this.#session = new SqliteConnection(connection);
    this.#begin = connection.prepare('begin immediate');
    this.#commit = connection.prepare('commit');
  }

  async init(): Promise<void> {}

  /** There is one connection: callers get it one after another, in the order of their calls. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const previous = this.#lastInQueue;
    const own = Promise.withResolvers<void>();
    this.#lastInQueue = own.promise;
    await previous;
    this.#session.release = own.resolve;
    return this.#session;
  }

  async releaseConnection(): Promise<void> {
    this.#session.release();
  }

  async beginTransaction(
    _connection: DatabaseConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    this.#session.isReadOnly = accessMode === 'read only';
    // A read-only transaction takes no write lock: it reads the snapshot of its first statement while others
    // write.
    if (this.#session.isReadOnly) {
      this.#connection.exec('begin');
      return;
    }
    this.#unlock = await transactionMutex.acquire(this.#connection.name);
    try {
      this.#begin.run();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    this.#commit.run();
    this.#unlock();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } finally {
      this.#unlock();
    }
  }

  async destroy(): Promise<void> {
    await this.#lastInQueue;
    this.#connection.close();
    await this.#afterClose();
  }
}

class SqliteConnection implements DatabaseConnection {
  release: () => void = () => {};
  /** Whether the open transaction is read-only. */
  isReadOnly = false;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql);
    if (!statement.readonly && (!this.#connection.inTransaction || this.isReadOnly)) {
      throw new Error(`A statement that writes must run in a transaction: ${query.sql}`);
    }
    // `R` comes from the schema types; better-sqlite3 cannot check it.
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] };
    const { changes } = statement.run(...query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: it only throws.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows cannot be streamed from SQLite. Read them in pages.');
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= MAX_STATEMENTS && !oldest.done) this.#statements.delete(oldest.value);
    this.#statements.set(sql, statement);
    return statement;
  }
}
