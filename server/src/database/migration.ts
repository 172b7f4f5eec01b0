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
}

export type EngineName = 'sqlite' | 'postgres';

/**
 * One step of the schema: SQL statements, and then code, that run in one transaction. A released migration is
 * never edited.
 */
export interface Migration {
  readonly name: string;
  /** Both engines get the same tables; only some kinds of index exist on one engine alone. */
  readonly statements: (columnTypes: ColumnTypes, engine: EngineName) => readonly string[];
  /**
   * Fills columns with values that SQL cannot compute. Reads and writes a bounded number of rows at a time.
   */
  readonly fill?: (tx: QueryExecutorProvider) => Promise<void>;
}
