import pg from 'pg';
import { Database } from '../../server/src/database/database.ts';
import { migrate } from '../../server/src/database/migrator.ts';
import { openPostgres } from '../../server/src/database/postgres/postgres.ts';
import { openSqlite } from '../../server/src/database/sqlite/sqlite.ts';

const NAME = 'holdall_template';

/** Creates a SQLite database with the current schema, from which tests make copies. It is one file. */
export async function createSqliteTemplate(file: string): Promise<void> {
  const database = new Database(openSqlite(file));
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

/**
 * Creates a database with the current schema, of which tests create copies: a copy takes a quarter of the
 * time of the migrations. Returns its name.
 *
 * @param url of a user that may create databases
 */
export async function createPostgresTemplate(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${NAME}`);
    const template = new URL(url);
    template.pathname = `/${NAME}`;
    const database = new Database(openPostgres(template.href, () => {}));
    try {
      await migrate(database);
    } finally {
      await database.close();
    }
    await storeCatalogCache(template.href);
  } finally {
    await client.end();
  }
  return NAME;
}

/**
 * The first connection to a database stores what it has read from the catalog. The copies then have it too;
 * otherwise the first connection to each copy would read it again, and store it.
 */
async function storeCatalogCache(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}
