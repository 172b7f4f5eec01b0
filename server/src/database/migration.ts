import type { QueryExecutorProvider } from 'kysely';

/**
 * The column types that the two engines spell differently. The rest of a migration is SQL that both
 * understand.
 */
export interface ColumnTypes {
  /** A 64-bit primary key that the database generates and never reuses. */
  readonly id: string;
  /** 64-bit integer: sizes, counts, instants, foreign keys. */
  readonly integer: string;
  /** Text that compares and sorts by code point. */
  readonly text: string;
  /** Bytes. Backups leave out tables with such columns. */
  readonly bytes: string;
}

export type EngineName = 'sqlite' | 'postgres';

/** One step of the schema. A released migration is never edited. */
export type Migration = SchemaMigration | IndexMigration;

/** SQL statements, followed by code, that run in one transaction. */
interface SchemaMigration {
  readonly name: string;
  /** Both engines get the same tables, but some kinds of index exist on only one engine. */
  readonly statements: (columnTypes: ColumnTypes, engine: EngineName) => readonly string[];
  /**
   * Fills columns with values that SQL cannot compute. Reads and writes a bounded number of rows at a time.
   */
  readonly fill?: (tx: QueryExecutorProvider) => Promise<void>;
}

/**
 * Indexes of large tables. PostgreSQL builds them outside of any transaction while others read and write,
 * which may take hours. An interrupted run continues with the index at which it stopped. SQLite builds them
 * in the same transaction as the other steps.
 */
export interface IndexMigration {
  readonly name: string;
  readonly indexes: (engine: EngineName) => readonly LongIndex[];
}

export interface LongIndex {
  readonly name: string;
  readonly isUnique?: boolean;
  /**
   * What follows `on` in the statement: the table and its columns, such as `entry (drive_id, name) where
   * deleted_at is null`.
   */
  readonly on: string;
}

/** @param mode how PostgreSQL builds the index, such as `concurrently` */
export function toStatement({ name, isUnique, on }: LongIndex, mode = ''): string {
  return `create ${isUnique === true ? 'unique ' : ''}index ${mode} ${name} on ${on}`;
}
