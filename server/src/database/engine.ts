import type { Dialect, QueryExecutorProvider } from 'kysely';
import type { ColumnTypes, EngineName, LongIndex } from './migration.ts';
import type { NameIndex } from './name-index.ts';
import type { NotificationChannel } from './notifications/notification-channel.ts';

/**
 * Everything that differs between SQLite and PostgreSQL. No code outside `database/` can tell which one runs.
 */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  /**
   * Dialects whose statements run on threads, for work that would stop the event loop: one for transactions
   * and one for queries. Undefined for an engine that runs no statement on the event loop.
   */
  readonly threads: { readonly writing: Dialect; readonly reading: Dialect } | undefined;
  readonly columnTypes: ColumnTypes;
  readonly nameIndex: NameIndex;
  /** Connects the instances; undefined for an engine that serves a single instance. */
  readonly notificationChannel: NotificationChannel | undefined;
  /** How busy the database is: connections, or on SQLite transactions that write. */
  countLoad(): { readonly inUse: number; readonly waiting: number; readonly max: number };
  /** Resolves when every commit made before the call would survive a power cut. */
  flush(): Promise<void>;
  /**
   * A statement by which a transaction commits without waiting for its flush; undefined where only `flush`
   * waits for one.
   */
  readonly volatileCommit: string | undefined;
  /**
   * A statement that makes other migrating transactions wait for this one; undefined where all writers wait
   * anyway.
   */
  readonly migrationLock: string | undefined;
  /** How a migration proceeds while others use the database; undefined where all writers wait anyway. */
  readonly sharedMigration: SharedMigration | undefined;
  /**
   * Copies the whole database to a place where the operator finds it, before the migration with that number.
   * Resolves with the place, or with undefined if the applied migrations are no longer those that are given.
   * Undefined for an engine whose operator has tools for that.
   */
  readonly saveCopy: ((step: string, applied: readonly string[]) => Promise<string | undefined>) | undefined;
  /**
   * A query that checks the database files and returns one row per damage found, or the single row `ok`;
   * undefined for an engine that checks its files itself.
   */
  readonly integrityQuery: string | undefined;
  /** Whether the same transaction may succeed if it is run again. */
  isRetryable(error: unknown): boolean;
  /**
   * What prevents the database from working, if that is what the error means. Undefined if it rejected the
   * statement.
   */
  findOutage(error: unknown): Outage | undefined;
}

/** The parts of a migration that let other connections work meanwhile. */
export interface SharedMigration {
  /**
   * Begins a transaction that changes the schema: without limits for its statements, and with a short one for
   * locks, because everyone who uses a table waits behind a statement that waits for its lock.
   * @returns false if another instance is migrating
   */
  begin(tx: QueryExecutorProvider): Promise<boolean>;
  /** Whether the transaction failed because it did not get a lock in time. */
  isBlocked(error: unknown): boolean;
  /** Names the transactions that have locks on tables for long, such as `pg_dump (process 42, for 5 min)`. */
  findBlockers(db: QueryExecutorProvider): Promise<readonly string[]>;
  /**
   * Builds the indexes that are missing or were not completed, while others read and write, and records the step.
   * @param connection a single connection, outside of any transaction
   * @returns false if another instance is migrating
   */
  buildIndexes(
    connection: QueryExecutorProvider,
    step: { readonly name: string; readonly indexes: readonly LongIndex[] },
  ): Promise<boolean>;
}

/** A state of the database in which the same request may succeed later. */
export interface Outage {
  /** A sentence for the caller. */
  readonly message: string;
  readonly retryAfterSeconds: number;
}

export const UNREACHABLE: Outage = {
  message: 'The database cannot be reached. Please try again.',
  retryAfterSeconds: 5,
};
