// Finds the SQL statements of the service that a whole run with --full ran only on SQLite, never on
// PostgreSQL.
//
// Most test files run only on SQLite, because that is cheap. This check makes sure that PostgreSQL still
// accepts every statement.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A statement that a test file ran. */
export interface RunStatement {
  /** As returned by {@link normaliseStatement}. */
  readonly text: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The test file, relative to the root of the repository. */
  readonly file: string;
  /** The file and line in the service that built it, such as `server/src/events/queries.ts:20`. */
  readonly place: string;
}

/** The folder of the code that builds statements only for SQLite. */
const SQLITE_FOLDER = 'server/src/database/sqlite/';
/** Tables that exist only in SQLite: its name index and its catalog. */
const SQLITE_TABLES = /\b(?:entry_search|unindexed_entry|sqlite_master|sqlite_schema|pragma_\w+)\b/;

/** Parameters of SQLite (see server/src/database/sqlite/compiler.ts) and of PostgreSQL, and numbers. */
const VALUE = /\+?\?|\$\d+|\b\d+\b/g;
/** SQLite has no row locks. */
const ROW_LOCK = / for (?:update|no key update|share|key share)(?: of "\w+")?(?: skip locked)?/g;
const LIST_OF_VALUES = /\?(?:, \?)+/g;
/** A row in parentheses. It may contain nested ones, as in `cast(? as text)`. */
const ROW = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const ROWS = new RegExp(String.raw`\bvalues (${ROW})(?:, ${ROW})*`, 'g');
/** Words that replace a value in a row. */
const NO_VALUE = /\b(?:default|null)\b/g;

/** Separates the optional parts of a statement: conditions, columns, orders. */
const BETWEEN_PARTS = / (?:and|or|where|set|order by) |, /;

/** Normalises a statement to one text, independent of the engine and of the number of values and rows. */
export function normaliseStatement(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(VALUE, '?')
    .replaceAll(ROW_LOCK, '')
    .replaceAll(ROWS, (_, row: string) => `values ${row.replaceAll(NO_VALUE, '?')}`)
    .replaceAll(LIST_OF_VALUES, '?');
}

/**
 * Returns a sentence for each statement that ran only on SQLite, except for those that only SQLite needs.
 *
 * One place in the code may build many statements, with different conditions, columns or orders per request.
 * They are covered if each of their parts ran on PostgreSQL in a statement of that place. Not every
 * combination has to run.
 *
 * A file that runs on both engines does the same on both. If it has a statement that did not run on
 * PostgreSQL, that depends on the engine, on random input or on timing, and is no fault.
 */
export function findUncoveredStatements(statements: readonly RunStatement[]): readonly string[] {
  const onPostgres = new Set(
    statements.filter(({ engine }) => engine === 'postgres').map(({ file }) => file),
  );
  const covered = new Set(statements.filter(({ file }) => onPostgres.has(file)).flatMap(partsOf));
  const uncovered = new Map<string, RunStatement>();
  for (const statement of statements) {
    if (isForSqlite(statement)) continue;
    if (partsOf(statement).every((part) => covered.has(part))) continue;
    if (!uncovered.has(statement.text)) uncovered.set(statement.text, statement);
  }
  return [...uncovered.values()].map(
    ({ text, file, place }) =>
      `A statement of ${place} ran on SQLite only; let a test file that runs it say ` +
      `"// runs on, with --full: postgres", such as ${file}: ${text}`,
  );
}

/** Reads the records that the processes of a run have written (statement-record.ts). */
export function readRunStatements(directory: string): readonly RunStatement[] {
  return readdirSync(directory).flatMap(
    (name) => JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as RunStatement[],
  );
}

function partsOf({ place, text }: RunStatement): readonly string[] {
  return text.split(BETWEEN_PARTS).map((part) => `${place} ${part}`);
}

function isForSqlite({ place, text }: RunStatement): boolean {
  return place.startsWith(SQLITE_FOLDER) || SQLITE_TABLES.test(text);
}
