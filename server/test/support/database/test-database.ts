import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * The engine of this test process: `sqlite`, or the URL of a PostgreSQL whose user may create databases. The
 * test runner sets `HOLDALL_TEST_DATABASE`; a file that is run by hand uses SQLite.
 */
const engine = process.env.HOLDALL_TEST_DATABASE ?? 'sqlite';

export const isPostgres = /^postgres(ql)?:/.test(engine);

interface TestDatabase {
  /** For `HOLDALL_DATABASE_URL`; undefined means SQLite in the data directory. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/**
 * Creates a database that only this test uses. It is empty, or already migrated if `migratedFile` is given
 * and the runner has a template.
 * @param options.migratedFile where the database will be on SQLite
 */
export async function createTestDatabase({
  migratedFile,
}: {
  readonly migratedFile?: string | undefined;
} = {}): Promise<TestDatabase> {
  if (engine === 'none') {
    throw new Error('This file opens a database, so it must begin with a line such as "// runs on: sqlite".');
  }
  if (!isPostgres) {
    if (migratedFile !== undefined) await copySqliteTemplate(migratedFile);
    return { url: undefined, drop: async () => {} };
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  // The test runner creates a template with the current schema.
  const template = migratedFile === undefined ? undefined : process.env.HOLDALL_TEST_TEMPLATE;
  const copy = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await runAsAdmin(`create database ${name}${copy}`);
  const url = new URL(engine);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(`drop database ${name} with (force)`) };
}

/** Without the template the service migrates the file when it starts. */
async function copySqliteTemplate(file: string): Promise<void> {
  const template = process.env.HOLDALL_TEST_SQLITE_TEMPLATE;
  if (template !== undefined) await copyFile(template, file);
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
