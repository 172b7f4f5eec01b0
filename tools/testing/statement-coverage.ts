// Finds the SQL statements of the service that a whole run of the tests ran on SQLite and never on PostgreSQL.
//
// Most test files run on SQLite only, because that is cheap. This check makes sure that PostgreSQL still takes
// every statement.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A statement that a test file ran. */
export interface RunStatement {
  /** As {@link normaliseStatement} gives it. */
  readonly text: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The test file, relative to the root of the repository. */
  readonly file: string;
  /** The file and the line of the service that built it, such as `server/src/events/queries.ts:20`. */
  readonly place: string;
}

/** Statements that are not run on PostgreSQL as they are. */
interface Exception {
  /** The place starts with it. */
  readonly place: string;
  /** The text matches it; any text without it. */
  readonly text?: RegExp;
  readonly reason: string;
}

const EXCEPTIONS: readonly Exception[] = [
  { place: 'server/src/database/sqlite/', reason: 'Only SQLite has pragmas and the index of names.' },
  {
    place: 'server/src/database/migrat',
    reason: 'The types of columns differ. Both templates of a run are made with all migrations.',
  },
];

/** Parameters of SQLite (see server/src/database/sqlite/compiler.ts) and of PostgreSQL. */
const PARAMETER = /\+?\?|\$\d+/g;
/** SQLite has no row locks. */
const ROW_LOCK = / for (?:update|no key update|share|key share)(?: of "\w+")?(?: skip locked)?/g;
const LIST_OF_VALUES = /(?:\?|\bdefault\b|\bnull\b)(?:, (?:\?|\bdefault\b|\bnull\b))+/g;
const ROWS_OF_VALUES = /\(\?\)(?:, \(\?\))+/g;

/** Gives a statement one text, whatever its engine, the length of its lists of values and the number of its rows. */
export function normaliseStatement(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(PARAMETER, '?')
    .replaceAll(ROW_LOCK, '')
    .replaceAll(LIST_OF_VALUES, '?')
    .replaceAll(ROWS_OF_VALUES, '(?)');
}

/** Returns a sentence for each statement that ran on SQLite only and is no exception. */
export function findUncoveredStatements(statements: readonly RunStatement[]): readonly string[] {
  const covered = new Set(statements.filter(({ engine }) => engine === 'postgres').map(({ text }) => text));
  const uncovered = new Map<string, RunStatement>();
  for (const statement of statements) {
    if (covered.has(statement.text) || isException(statement)) continue;
    if (!uncovered.has(statement.text)) uncovered.set(statement.text, statement);
  }
  return [...uncovered.values()].map(
    ({ text, file, place }) =>
      `A statement of ${place} ran on SQLite only; let a test file that runs it say ` +
      `"// runs on: sqlite, postgres", such as ${file}: ${text}`,
  );
}

/** Reads what the processes of a run have written (statement-record.ts). */
export function readRunStatements(directory: string): readonly RunStatement[] {
  return readdirSync(directory).flatMap(
    (name) => JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as RunStatement[],
  );
}

function isException({ place, text }: RunStatement): boolean {
  return EXCEPTIONS.some((one) => place.startsWith(one.place) && (one.text?.test(text) ?? true));
}
