import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';

/** A table as the database's catalog describes it, independent of the types in this program. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order; empty for a table with a single row. */
  readonly primaryKey: readonly string[];
  /** The column whose values the database generates and never reuses. */
  readonly generatedId: string | undefined;
  /** The first column whose type differs between the engines. Rows of such a table cannot be dumped. */
  readonly foreignType: string | undefined;
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The position in the primary key, from 1; 0 for a column outside of it. */
  readonly key_position: number;
  readonly is_generated: number;
}

/**
 * Reads all tables except SQLite's internal ones and the shadow tables of its full-text index, with all
 * columns except generated ones.
 */
export async function readTableShapes({ engine }: Database, db: Db): Promise<readonly TableShape[]> {
  const query = engine.name === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS;
  const { rows } = await sql<ColumnRow>`${query}`.execute(db);
  return [...Map.groupBy(rows, (row) => row.table)].map(([name, columns]) => toShape(name, columns));
}

function toShape(name: string, columns: readonly ColumnRow[]): TableShape {
  const foreign = columns.find(({ type }) => !/^(bigint|integer|text)$/i.test(type));
  const key = columns
    .filter((column) => column.key_position > 0)
    .toSorted((a, b) => a.key_position - b.key_position);
  return {
    name,
    columns: columns.map(({ column }) => column),
    primaryKey: key.map(({ column }) => column),
    generatedId: columns.find((column) => column.is_generated === 1)?.column,
    foreignType: foreign && `${name}.${foreign.column}, ${foreign.type}`,
  };
}

const SQLITE_COLUMNS = sql`
  select t.name as "table", c.name as "column", c.type, c.pk as key_position,
    case when c.pk = 1 and s.sql like '%autoincrement%' then 1 else 0 end as is_generated
  from pragma_table_list as t
  join sqlite_schema as s on s.name = t.name and s.type = 'table'
  join pragma_table_xinfo(t.name) as c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and c.hidden = 0
  order by t.name, c.cid`;

const POSTGRES_COLUMNS = sql`
  select c.table_name as "table", c.column_name as "column", c.data_type as type,
    case c.is_identity when 'YES' then 1 else 0 end as is_generated,
    coalesce((
      select array_position(i.indkey::int2[], a.attnum) + 1
      from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attname = c.column_name
      where i.indisprimary and i.indrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
        and a.attnum = any(i.indkey)
    ), 0) as key_position
  from information_schema.columns as c
  join information_schema.tables as t using (table_schema, table_name)
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
  order by c.table_name, c.ordinal_position`;
