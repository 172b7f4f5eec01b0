import path from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Holdall } from '../app/holdall.ts';

/** Runs statements behind Holdall's back, without foreign key checks. */
export async function sabotage(
  { dataDir, databaseUrl }: Pick<Holdall, 'dataDir' | 'databaseUrl'>,
  ...statements: readonly string[]
): Promise<void> {
  if (databaseUrl === undefined) {
    const connection = new Sqlite(path.join(dataDir, 'holdall.db'));
    connection.pragma('foreign_keys = off');
    for (const statement of statements) connection.exec(statement);
    connection.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of ["set session_replication_role = 'replica'", ...statements])
      await client.query(statement);
  } finally {
    await client.end();
  }
}
