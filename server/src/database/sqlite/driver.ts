import type { Database as Connection, Statement } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';

const MAX_STATEMENTS = 500;

/**
 * By file: whoever begins a transaction waits for the lock of the file without letting anything else run, and nobody else
 * in this process could let it go. So those who have opened one file more than once here take turns.
 */
const mutex = new KeyedMutex<string>();

/**
 * Runs Kysely's queries on one better-sqlite3 connection. Different from the driver that comes with Kysely:
 * prepared statements are kept, a transaction takes the write lock when it begins, and a statement that
 * writes outside a transaction is refused, because its answer would not wait for the flush.
 */
export class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #afterClose: () => Promise<void>;
  readonly #shared: SqliteConnection;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => {};

  constructor(connection: Connection, afterClose: () => Promise<void>) {
    this.#connection = connection;
    this.#afterClose = afterClose;
    this.#shared = new SqliteConnection(connection);
    this.#begin = connection.prepare('begin immediate');
    this.#commit = connection.prepare('commit');
  }

  async init(): Promise<void> {}

  /** One connection: whoever comes waits for those before. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const turnBefore = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    await turnBefore;
    this.#shared.release = turn.resolve;
    return this.#shared;
  }

  async releaseConnection(): Promise<void> {
    this.#shared.release();
  }

  async beginTransaction(
    _connection: DatabaseConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    this.#shared.isReadOnly = accessMode === 'read only';
    // Without the write lock: the picture is that of the first statement, and others go on writing.
    if (this.#shared.isReadOnly) {
      this.#connection.exec('begin');
      return;
    }
    this.#endTurn = await mutex.acquire(this.#connection.name);
    try {
      this.#begin.run();
    } catch (error) {
      this.#endTurn();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    this.#commit.run();
    this.#endTurn();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      // SQLite has rolled back by itself after some errors (a full disk, for one).
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } finally {
      this.#endTurn();
    }
  }

  async destroy(): Promise<void> {
    await this.#lastTurn;
    this.#connection.close();
    await this.#afterClose();
  }
}

class SqliteConnection implements DatabaseConnection {
  release: () => void = () => {};
  /** Of the transaction that is open. */
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
    // The schema says what a row looks like; better-sqlite3 cannot know.
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] };
    const { changes } = statement.run(...query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: it only refuses.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed from SQLite: ask for pages.');
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
