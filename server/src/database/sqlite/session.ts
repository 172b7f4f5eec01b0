import type { Database as Connection, Statement } from 'better-sqlite3';
import { LOCK_TIMEOUT_MS } from './open-connection.ts';

/** The rows that a statement returned; `changes` only if it cannot return rows. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number | undefined;
}

/** How many pages the write-ahead log has, and how many of them are already copied to the database file. */
export interface LogSize {
  readonly pages: number;
  readonly copied: number;
}

/** `passive` waits for no one; `truncate` must copy all pages, and leaves an empty log. */
export type CheckpointMode = 'passive' | 'truncate';

type MaybePromise<T> = T | Promise<T>;

/** One connection to a SQLite file, on this thread or on another one. */
export interface SqliteSession {
  /** Takes the write lock, unless the transaction is read-only. */
  begin(isReadOnly: boolean): MaybePromise<void>;
  commit(): MaybePromise<void>;
  rollback(): MaybePromise<void>;
  /** @throws Error for a statement that writes outside a transaction, or in a read-only one */
  execute(sql: string, parameters: readonly unknown[]): MaybePromise<StatementResult>;
  close(): MaybePromise<void>;
}

const MAX_STATEMENTS = 500;

/** Runs statements on the calling thread, and keeps them prepared. */
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
    // A read-only transaction takes no write lock: it reads the snapshot taken by its first statement, while
    // others write.
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

  /** Copies pages from the write-ahead log to the database file: as many as readers and writers permit. */
  checkpoint(mode: CheckpointMode): LogSize {
    // If another process blocks the checkpoint, the next one tries again.
    this.#connection.pragma('busy_timeout = 0');
    try {
      return this.#runCheckpoint(mode);
    } finally {
      this.#connection.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    }
  }

  /** Returns undefined in a transaction, where the size cannot be read. */
  findLogSize(): LogSize | undefined {
    return this.#connection.inTransaction ? undefined : this.#runCheckpoint('noop');
  }

  #runCheckpoint(mode: CheckpointMode | 'noop'): LogSize {
    // The columns of https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
    const row = this.#prepare(`pragma wal_checkpoint(${mode})`).get() as {
      log: number;
      checkpointed: number;
    };
    return { pages: row.log, copied: row.checkpointed };
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
