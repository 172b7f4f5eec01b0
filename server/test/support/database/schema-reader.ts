import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';

/** A schema in a form that can be compared between the engines. */
interface ReadSchema {
  /** `table: column, column not null, …` */
  readonly tables: readonly string[];
  /** `table (column, …)`, with `where` for a partial index. Includes primary keys. */
  readonly uniqueRules: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly required: number;
}

interface RuleRow {
  readonly table: string;
  readonly columns: string;
  readonly partial: number;
}

export async function readSchema(database: Database): Promise<ReadSchema> {
  const { db, engine } = database;
  const isSqlite = engine.name === 'sqlite';
  const columns = await sql<ColumnRow>`${isSqlite ? SQLITE_COLUMNS : POSTGRES_COLUMNS}`.execute(db);
  const rules = await sql<RuleRow>`${isSqlite ? SQLITE_RULES : POSTGRES_RULES}`.execute(db);
  const tables = Map.groupBy(columns.rows, (row) => row.table);
  return {
    tables: [...tables]
      .map(([table, rows]) => `${table}: ${rows.map(describeColumn).toSorted().join(', ')}`)
      .toSorted(),
    uniqueRules: rules.rows
      .map((row) => `${row.table} (${row.columns})${row.partial === 1 ? ' where …' : ''}`)
      .toSorted(),
  };
}

function describeColumn({ column, required }: ColumnRow): string {
  return required === 1 ? `${column} not null` : column;
}

// Only SQLite has tables for the indexes of names and texts, and the shadow tables of a full-text table are
// internal.
const WITHOUT_INDEX_TABLES = sql`t.name not like 'sqlite_%' and t.name not like 'entry_search%'
  and t.name not like 'text_index%' and t.name <> 'unindexed_entry'`;

// A primary key counts as `not null`: it always is on PostgreSQL, and SQLite reports that only if it was
// declared.
const SQLITE_COLUMNS = sql`
  select t.name as "table", c.name as "column", max(c."notnull", c.pk > 0) as required
  from sqlite_schema as t, pragma_table_info(t.name) as c
  where t.type = 'table' and ${WITHOUT_INDEX_TABLES}`;

const POSTGRES_COLUMNS = sql`
  select table_name as "table", column_name as "column", case is_nullable when 'NO' then 1 else 0 end as required
  from information_schema.columns where table_schema = 'public'
    and (table_name, column_name) <> ('blob_text', 'terms')`;

const SQLITE_RULES = sql`
  select t.name as "table", i.partial,
    (select group_concat(c.name, ', ') from (select name from pragma_index_info(i.name) order by seqno) as c) as columns
  from sqlite_schema as t, pragma_index_list(t.name) as i
  where t.type = 'table' and i."unique" = 1 and ${WITHOUT_INDEX_TABLES}
  union all
  select t.name, 0, c.name
  from sqlite_schema as t, pragma_table_info(t.name) as c
  where t.type = 'table' and c.pk = 1 and ${WITHOUT_INDEX_TABLES}
    and not exists (select 1 from pragma_index_list(t.name) as i where i.origin = 'pk')`;

const POSTGRES_RULES = sql`
  select c.relname as "table", case when i.indpred is null then 0 else 1 end as partial,
    (select string_agg(a.attname, ', ' order by k.place)
      from unnest(i.indkey::int2[]) with ordinality as k (number, place)
      join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.number) as columns
  from pg_index as i
  join pg_class as c on c.oid = i.indrelid
  join pg_namespace as n on n.oid = c.relnamespace
  where i.indisunique and n.nspname = 'public'`;
