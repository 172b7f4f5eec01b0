import type { Dialect, QueryExecutorProvider } from 'kysely';
import type { ColumnTypes, EngineName, LongIndex } from './migration.ts';
import type { NameIndex } from './name-index.ts';
import type { NotificationChannel } from './notifications/notification-channel.ts';
import type { TextIndex } from './text-index.ts';

/**
 * Everything that differs between SQLite and PostgreSQL. No code outside `database/` can tell which one runs.
 */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  /**
   * Dialects whose statements run on threads, for work that would block the event loop: one for transactions
   * and one for queries. Undefined if the engine runs no statement on the event loop.
   */
  readonly threads: { readonly writing: Dialect; readonly reading: Dialect } | undefined;
  readonly columnTypes: ColumnTypes;
  readonly nameIndex: NameIndex;
  readonly textIndex: TextIndex;
  /** Connects the instances; undefined for an engine that serves a single instance. */
  readonly notificationChannel: NotificationChannel | undefined;
  /** How busy the database is: counts connections, or on SQLite writing transactions. */
  countLoad(): { readonly inUse: number; readonly waiting: number; readonly max: number };
  /** Resolves when every commit made before the call would survive a power cut. */
  flush(): Promise<void>;
  /**
   * A statement that makes a transaction commit without waiting for its flush; undefined if commits never
   * wait for one, because only `flush` does.
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
   * Copies the whole database to a place where the operator finds it, before the migration `step`. Resolves
   * with the place, or with undefined if the applied migrations are no longer `applied`. The member is
   * undefined for an engine whose operators have their own backup tools.
   */
  readonly saveCopy: ((step: string, applied: readonly string[]) => Promise<string | undefined>) | undefined;
  /**
   * A query that checks the database files and returns one row per damage found, or the single row `ok`;
   * undefined for an engine that checks its files itself.
   */
  readonly integrityQuery: string | undefined;
  /** Whether the same transaction may succeed if it runs again. */
  isRetryable(error: unknown): boolean;
  /**
   * The outage that the error reports. Undefined if the database works and has only rejected the statement.
   */
  findOutage(error: unknown): Outage | undefined;
}

/** The parts of a migration that let other connections work meanwhile. */
export interface SharedMigration {
  /**
   * Begins a transaction that changes the schema. Its statements have no time limit. Its waits for locks have
   * a short one, because everyone who uses a table queues up behind a statement that waits for its lock.
   * @returns false if another instance is migrating
   */
  begin(tx: QueryExecutorProvider): Promise<boolean>;
  /** Whether the transaction failed because it did not get a lock in time. */
  isBlocked(error: unknown): boolean;
  /**
   * Names the transactions that have held table locks for long, such as `pg_dump (process 42, for 5 min)`.
   */
  findBlockers(db: QueryExecutorProvider): Promise<readonly string[]>;
  /**
   * Builds missing or unfinished indexes while others read and write, and then records the step.
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
