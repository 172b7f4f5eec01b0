import { type RawBuilder, sql } from 'kysely';
import type { Database, Db, Tx } from '../database.ts';
import type { TableShape } from './table-shapes.ts';

/** The value of a column, the same on both engines. */
type Value = string | number | null;

/** The values in the order of the table's columns. */
export type Row = readonly Value[];

/** The maximum number of parameters per statement, below the limits of both engines. */
const MAX_PARAMETERS = 10_000;

/** Reads all rows in the order of the primary key, in batches of at most `batchSize`. */
export async function* readRows(
  db: Db,
  table: TableShape,
  batchSize: number,
): AsyncGenerator<readonly Row[]> {
  if (table.foreignType !== undefined) {
    throw new Error(`A column has a type that differs between the engines: ${table.foreignType}.`);
  }
  if (table.primaryKey.length === 0) {
    yield* readOnlyRow(db, table);
    return;
  }
  const key = sql.join(table.primaryKey.map((column) => sql.ref(column)));
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  for (let after: Row | undefined; ; ) {
    const condition: RawBuilder<unknown> =
      after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
    const { rows } = await sql<Record<string, Value>>`
      select ${columns} from ${sql.table(table.name)} ${condition} order by ${key} limit ${batchSize}`.execute(
      db,
    );
    if (rows.length > 0) yield rows.map((row) => table.columns.map((column) => row[column] ?? null));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = table.primaryKey.map((column) => last[column] ?? null);
  }
}

async function* readOnlyRow(db: Db, table: TableShape): AsyncGenerator<readonly Row[]> {
  const { rows } = await sql<Record<string, Value>>`select * from ${sql.table(table.name)} limit 2`.execute(
    db,
  );
  if (rows.length > 1) throw new Error(`The table ${table.name} has several rows and no primary key.`);
  if (rows.length > 0) yield rows.map((row) => table.columns.map((column) => row[column] ?? null));
}

export async function deleteRows(tx: Tx, { name }: TableShape): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(tx);
}

/** Inserts rows, keeping their ids. */
export async function insertRows(
  tx: Tx,
  { engine }: Database,
  table: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const batchSize = Math.max(1, Math.floor(MAX_PARAMETERS / table.columns.length));
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const override =
    engine.name === 'postgres' && table.generatedId !== undefined ? sql`overriding system value` : sql``;
  for (let start = 0; start < rows.length; start += batchSize) {
    const values = rows.slice(start, start + batchSize).map((row) => sql`(${sql.join(row)})`);
    await sql`insert into ${sql.table(table.name)} (${columns}) ${override} values ${sql.join(values)}`.execute(
      tx,
    );
  }
}

/**
 * The highest id that the database has ever generated for the table, including ids of deleted rows; 0 for
 * none.
 */
export async function readLastGeneratedId(db: Db, { engine }: Database, table: TableShape): Promise<number> {
  if (table.generatedId === undefined) return 0;
  if (engine.name === 'sqlite') {
    const query = sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${table.name}`;
    return (await query.execute(db)).rows[0]?.last ?? 0;
  }
  const { rows } = await sql<{ name: string }>`
    select pg_get_serial_sequence(${table.name}, ${table.generatedId}) as name`.execute(db);
  const name = sql.raw(rows[0]?.name ?? '');
  const query = sql<{
    last: number;
  }>`select case when is_called then last_value else 0 end as last from ${name}`;
  return (await query.execute(db)).rows[0]?.last ?? 0;
}

/** Makes the next generated id greater than both `last` and every id in the table. */
export async function setLastGeneratedId(
  tx: Tx,
  { engine }: Database,
  table: TableShape,
  last: number,
): Promise<void> {
  if (table.generatedId === undefined) return;
  const highest = sql<number>`select max(${sql.ref(table.generatedId)}) as id from ${sql.table(table.name)}`;
  const { rows } = await sql<{ id: number | null }>`${highest}`.execute(tx);
  const next = Math.max(last, rows[0]?.id ?? 0);
  if (next === 0) return;
  if (engine.name === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table.name}`.execute(tx);
    await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${next})`.execute(tx);
  } else {
    await sql`select setval(pg_get_serial_sequence(${table.name}, ${table.generatedId}), ${next})`.execute(
      tx,
    );
  }
}

/**
 * Lets `work` insert rows in any order: foreign keys are checked only afterwards, on SQLite at the commit.
 * Afterwards, the same transaction may still change the schema.
 * @throws the engine's error when a row refers to a missing row
 */
export async function withDeferredForeignKeys(
  tx: Tx,
  { engine }: Database,
  work: () => Promise<void>,
): Promise<void> {
  if (engine.name === 'sqlite') {
    await sql`pragma defer_foreign_keys = on`.execute(tx);
    await work();
    return;
  }
  const { rows } = await sql<{ table: string; name: string }>`
    select c.conrelid::regclass::text as table, c.conname as name from pg_constraint as c
    where c.contype = 'f' and not c.condeferrable and c.connamespace = current_schema()::regnamespace`.execute(
    tx,
  );
  const alter = async (how: string) => {
    for (const { table, name } of rows) {
      await sql`alter table ${sql.raw(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(tx);
    }
  };
  await alter('deferrable initially deferred');
  await work();
  await sql`set constraints all immediate`.execute(tx);
  await alter('not deferrable');
}
