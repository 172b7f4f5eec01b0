import type { DatabaseSync } from 'node:sqlite';

/** Opens an SQLite database. Node.js warns that its module is new, which is of no use to the user. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}
