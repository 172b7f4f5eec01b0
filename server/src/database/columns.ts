/** The few column types that the engines spell differently; everything else in a migration is common SQL. */
export interface Columns {
  /** A 64-bit key that the database gives out and never gives twice. */
  readonly id: string;
  /** 64-bit integer: sizes, counts, instants, foreign keys. */
  readonly integer: string;
  /** Text that compares and sorts by code point. */
  readonly text: string;
}

export type EngineName = 'sqlite' | 'postgres';

/** A step of the schema: SQL statements that run in one transaction. Never edited once released. */
export interface Migration {
  readonly name: string;
  /** The engine is asked for where it has an index of a kind that the other has not; the tables are the same. */
  readonly statements: (columns: Columns, engine: EngineName) => readonly string[];
}
