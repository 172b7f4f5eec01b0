import { type RawBuilder, sql } from 'kysely';
import type { Database, Db, Tx } from '../database.ts';
import type { TableShape } from './table-shapes.ts';

/** What a column holds, on either engine. */
export type Value = string | number | null;

/** In the order of the columns. */
export type Row = readonly Value[];

/** Below what either engine takes in one statement. */
const MOST_PARAMETERS = 10_000;

/** All rows in the order of the primary key, some at a time. */
export async function* readRows(db: Db, table: TableShape, most: number): AsyncGenerator<readonly Row[]> {
  if (table.key.length === 0) {
    yield* readOnlyRow(db, table);
    return;
  }
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  for (let after: Row | undefined; ; ) {
    const behind: RawBuilder<unknown> =
      after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
    const { rows } = await sql<Record<string, Value>>`
      select ${columns} from ${sql.table(table.name)} ${behind} order by ${key} limit ${most}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => table.columns.map((column) => row[column] ?? null));
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return;
    after = table.key.map((column) => last[column] ?? null);
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

/** Inserts rows with the ids that they have. */
export async function insertRows(
  tx: Tx,
  { engine }: Database,
  table: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(MOST_PARAMETERS / table.columns.length));
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const given =
    engine.name === 'postgres' && table.generatedId !== undefined ? sql`overriding system value` : sql``;
  for (let at = 0; at < rows.length; at += atOnce) {
    const values = rows.slice(at, at + atOnce).map((row) => sql`(${sql.join(row)})`);
    await sql`insert into ${sql.table(table.name)} (${columns}) ${given} values ${sql.join(values)}`.execute(
      tx,
    );
  }
}

/** The highest id that the table has ever given, also to rows that are gone; 0 for none. */
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

/** Has the table go on behind that id, and behind all that it has. */
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
 * Lets the work insert rows in any order: what refers to what is checked when it ends. Changes to the schema may follow.
 * @throws what the engine throws where something refers to nothing
 */
export async function withDeferredForeignKeys(
  tx: Tx,
  { engine }: Database,
  work: () => Promise<void>,
): Promise<void> {
  if (engine.name === 'sqlite') {
    // Checked at the commit.
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
