import type { Database as Connection, Statement } from 'better-sqlite3';

/** The rows that a statement returned; `changes` only if it cannot return rows. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** One connection to a SQLite file, on this thread or on another one. */
export interface SqliteSession {
  /** Takes the write lock, or, for a read-only transaction, none. */
  begin(isReadOnly: boolean): MaybePromise<void>;
  commit(): MaybePromise<void>;
  rollback(): MaybePromise<void>;
  /** @throws Error for a statement that writes outside a transaction, or in a read-only one */
  execute(sql: string, parameters: readonly unknown[]): MaybePromise<StatementResult>;
  close(): MaybePromise<void>;
}

const MAX_STATEMENTS = 500;

/** Runs statements on the thread that calls it, and keeps them prepared. */
export class LocalSession implements SqliteSession {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  /** Whether the open transaction is read-only. */
  #isReadOnly = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  begin(isReadOnly: boolean): void {
    this.#isReadOnly = isReadOnly;
    // A read-only transaction takes no write lock: it reads the snapshot of its first statement while others
    // write.
    this.#prepare(isReadOnly ? 'begin' : 'begin immediate').run();
  }

  commit(): void {
    this.#prepare('commit').run();
  }

  rollback(): void {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (this.#connection.inTransaction) this.#prepare('rollback').run();
  }

  execute(sql: string, parameters: readonly unknown[]): StatementResult {
    const statement = this.#prepare(sql);
    if (!statement.readonly && (!this.#connection.inTransaction || this.#isReadOnly)) {
      throw new Error(`A statement that writes must run in a transaction: ${sql}`);
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: undefined };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  close(): void {
    this.#connection.close();
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
