import { Failure } from '../base/failure.ts';

/** The error to report for a value that another row already has. */
export interface Taken {
  readonly message: string;
  /** The member of the request body with that value. */
  readonly field: string;
}

/**
 * For `.catch()`: turns a violation of a unique rule into a `conflict` with the message for that rule.
 * Rethrows any other error. A check before the write can only improve the message: when two requests race,
 * the unique index decides.
 *
 * @param messages by rule, as `table(column, …)`
 */
export function conflictOn(messages: Readonly<Record<string, string | Taken>>): (error: unknown) => never {
  return (error) => {
    const found = messages[findViolatedUniqueRule(error) ?? ''];
    if (found === undefined) throw error;
    const { message, field } = typeof found === 'string' ? { message: found, field: undefined } : found;
    throw new Failure('conflict', message, { cause: error, field });
  };
}

/**
 * The unique rule that the error reports, as `table(column, …)`; undefined for any other error.
 * SQLite reports the columns. PostgreSQL reports the index, and ours are named `<table>__<column>__<column>`.
 */
function findViolatedUniqueRule(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    // For an index over expressions SQLite reports the name of the index.
    const index = /failed: index '(.+)'$/.exec(error.message)?.[1];
    if (index !== undefined) return toRule(index);
    const columns = error.message.replace(/^.*failed: /, '').split(', ');
    const table = columns[0]?.split('.')[0];
    return `${table}(${columns.map((column) => column.slice(column.indexOf('.') + 1)).join(', ')})`;
  }
  if (error.code === '23505' && 'constraint' in error && typeof error.constraint === 'string') {
    return toRule(error.constraint);
  }
  return undefined;
}

function toRule(index: string): string {
  const [table, ...columns] = index.split('__');
  return `${table}(${columns.join(', ')})`;
}
