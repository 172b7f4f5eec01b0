import { Failure } from '../base/failure.ts';

/**
 * The unique rule that an error says was broken, as `table(column, …)`; undefined for any other error.
 * SQLite names the columns; PostgreSQL names the index, and ours are called `<table>__<column>__<column>`.
 */
export function findViolatedUniqueRule(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    // It calls an index over expressions by its name.
    const index = /failed: index '(.+)'$/.exec(error.message)?.[1];
    if (index !== undefined) return ruleOf(index);
    const columns = error.message.replace(/^.*failed: /, '').split(', ');
    const table = columns[0]?.split('.')[0];
    return `${table}(${columns.map((column) => column.slice(column.indexOf('.') + 1)).join(', ')})`;
  }
  if (error.code === '23505' && 'constraint' in error && typeof error.constraint === 'string') {
    return ruleOf(error.constraint);
  }
  return undefined;
}

function ruleOf(index: string): string {
  const [table, ...columns] = index.split('__');
  return `${table}(${columns.join(', ')})`;
}

/**
 * For `catch`: turns a broken unique rule into a `conflict` with the message given for it, and passes everything
 * else on. The check before the write is for the message; the index is what holds when two race.
 */
export function conflictOn(messages: Readonly<Record<string, string>>): (error: unknown) => never {
  return (error) => {
    const message = messages[findViolatedUniqueRule(error) ?? ''];
    throw message === undefined ? error : new Failure('conflict', message, { cause: error });
  };
}
