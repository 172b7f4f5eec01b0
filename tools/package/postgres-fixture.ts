import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import type { Migration } from '../../server/src/database/migration.ts';
import { toPostgresSchema } from '../../server/test/support/package/released-schema.ts';

/** SQL for a PostgreSQL database with the clone's schema and the rows of an SQLite database. */
export async function toPostgresSql(database: Sqlite.Database, clone: string): Promise<string> {
  const migrator: { readonly MIGRATIONS: readonly Migration[] } = await import(
    path.resolve(clone, 'server/src/database/migrator.ts')
  );
  return `${toPostgresSchema(migrator.MIGRATIONS)}\n${toInserts(database).join('\n')}\n`;
}

/** The tables come in the order of their creation, so that rows follow those that they refer to. */
function toInserts(database: Sqlite.Database): readonly string[] {
  const tables = database.prepare(TABLES).all() as readonly { name: string; generated_id: string | null }[];
  return tables.flatMap(({ name, generated_id: id }) => {
    const rows = database.prepare(`select * from "${name}" order by rowid`).all() as readonly object[];
    const override = id === null ? '' : ' overriding system value';
    const inserts = rows.map(
      (row) =>
        `insert into ${name} (${Object.keys(row).join(', ')})${override} values (${Object.values(row).map(toLiteral).join(', ')});`,
    );
    const sequence = `select setval(pg_get_serial_sequence('${name}', '${id}'), max(${id})) from ${name};`;
    return id === null || rows.length === 0 ? inserts : [...inserts, sequence];
  });
}

/** Supports only integers and texts, because all columns are of these types. */
function toLiteral(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error(`A column has another type than integer and text: ${typeof value}`);
}

/**
 * The tables, without the indexes of names and texts, which have another form in PostgreSQL, and without the
 * texts and their queue, which the service fills again.
 */
const TABLES = `
  select t.name, case when t.sql like '%autoincrement%' then c.name end as generated_id
  from sqlite_schema as t left join pragma_table_info(t.name) as c on c.pk = 1
  where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'entry_search%'
    and t.name not like 'text_index%' and t.name not in ('unindexed_entry', 'text_queue', 'blob_text', 'text_scan')
  group by t.name order by t.rowid`;
