import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * The engine of this test process: `sqlite`, or the URL of a PostgreSQL whose user may create databases. The
 * test runner sets `HOLDALL_TEST_DATABASE`; a file that is run by hand uses SQLite.
 */
const engine = process.env.HOLDALL_TEST_DATABASE ?? 'sqlite';

export const isPostgres = /^postgres(ql)?:/.test(engine);

export interface TestDatabase {
  /** For `HOLDALL_DATABASE_URL`; undefined means SQLite in the data directory. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/**
 * Creates a database that only this test uses: empty, or already migrated if `migrated` is set and the runner
 * has a template.
 */
export async function createTestDatabase({ migrated = false } = {}): Promise<TestDatabase> {
  if (engine === 'none') {
    throw new Error(
      'This file opens a database, so it must begin with the line "// runs on: sqlite, postgres".',
    );
  }
  if (!isPostgres) return { url: undefined, drop: async () => {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  // The test runner creates a template with the current schema.
  const template = migrated ? process.env.HOLDALL_TEST_TEMPLATE : undefined;
  const copy = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await runAsAdmin(`create database ${name}${copy}`);
  const url = new URL(engine);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(`drop database ${name} with (force)`) };
}

async function runAsAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: engine });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
