import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';

/** A table as it is in the database, whatever this program knows of it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order; none for a table of one row. */
  readonly key: readonly string[];
  /** The column whose values the database gives out, and never gives twice. */
  readonly generatedId: string | undefined;
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** From 1; 0 for columns that are not in the primary key. */
  readonly key_place: number;
  readonly is_given: number;
}

/** Every table but SQLite's own and the hidden ones of its indexes, and every column that is not computed from others. */
export async function readTableShapes({ engine }: Database, db: Db): Promise<readonly TableShape[]> {
  const query = engine.name === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS;
  const { rows } = await sql<ColumnRow>`${query}`.execute(db);
  return [...Map.groupBy(rows, (row) => row.table)].map(([name, columns]) => toShape(name, columns));
}

function toShape(name: string, columns: readonly ColumnRow[]): TableShape {
  for (const { column, type } of columns) {
    if (!/^(bigint|integer|text)$/i.test(type)) {
      throw new Error(
        `The column ${name}.${column} is of a type that is not the same on every engine: ${type}.`,
      );
    }
  }
  const key = columns.filter((column) => column.key_place > 0).toSorted((a, b) => a.key_place - b.key_place);
  return {
    name,
    columns: columns.map(({ column }) => column),
    key: key.map(({ column }) => column),
    generatedId: columns.find((column) => column.is_given === 1)?.column,
  };
}

const SQLITE_COLUMNS = sql`
  select t.name as "table", c.name as "column", c.type, c.pk as key_place,
    case when c.pk = 1 and s.sql like '%autoincrement%' then 1 else 0 end as is_given
  from pragma_table_list as t
  join sqlite_schema as s on s.name = t.name and s.type = 'table'
  join pragma_table_xinfo(t.name) as c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and c.hidden = 0
  order by t.name, c.cid`;

const POSTGRES_COLUMNS = sql`
  select c.table_name as "table", c.column_name as "column", c.data_type as type,
    case c.is_identity when 'YES' then 1 else 0 end as is_given,
    coalesce((
      select array_position(i.indkey::int2[], a.attnum) + 1
      from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attname = c.column_name
      where i.indisprimary and i.indrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
        and a.attnum = any(i.indkey)
    ), 0) as key_place
  from information_schema.columns as c
  join information_schema.tables as t using (table_schema, table_name)
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
  order by c.table_name, c.ordinal_position`;
