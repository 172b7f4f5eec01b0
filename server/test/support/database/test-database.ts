import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Where the tests of this run keep their tables: `sqlite`, or the address of a PostgreSQL whose user may create
 * databases. The test runner says so in `HOLDALL_TEST_DATABASE`; a file that is run by hand uses SQLite.
 */
const where = process.env.HOLDALL_TEST_DATABASE ?? 'sqlite';

export const isPostgres = where !== 'sqlite';

export interface TestDatabase {
  /** For `HOLDALL_DATABASE_URL`; undefined means SQLite in the data directory. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/** An empty database of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!isPostgres) return { url: undefined, drop: async () => {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runAsAdmin(`create database ${name}`);
  const url = new URL(where);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(`drop database ${name} with (force)`) };
}

async function runAsAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
