import { type RawBuilder, sql } from 'kysely';
import type { FileName } from '../../base/text/names/file-name.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';
import type { Entry } from './entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './entry-queries.ts';

/** The names of a path by their index, and the drive. */
export interface PathValues {
  readonly driveId: number;
  readonly [index: number]: FileName;
}

type ValueOfPath = (name: keyof PathValues & string) => unknown;

/** Statements for deeper paths are not kept, because such paths are rare. */
export const MAX_COMPILED_DEPTH = 16;

/** The compiled statements by the number of names. */
const WALKS = new Map<number, CompiledOnce<PathValues, EntryRow>>();

/**
 * Follows a path from the root of the drive as far as it exists. Returns the root first, then one entry for
 * each segment that was found. Takes one query at any depth.
 */
export async function walkPath(
  db: Db,
  driveId: number,
  names: readonly FileName[],
): Promise<readonly Entry[]> {
  const { length } = names;
  let walk = WALKS.get(length);
  if (walk === undefined) {
    walk = toWalk(length);
    if (length <= MAX_COMPILED_DEPTH) WALKS.set(length, walk);
  }
  const { rows } = await walk.run(db, { driveId, ...names });
  return rows.map(toEntry);
}

function toWalk(length: number): CompiledOnce<PathValues, EntryRow> {
  return new CompiledOnce((db, value) => {
    const rows = Array.from({ length }, (_, index) => sql`(${sql.lit(index + 1)}, ${nameAt(index, value)})`);
    const steps =
      length === 0 ? sql`select 0 as depth, '' as name where 1 = 0` : sql`values ${sql.join(rows)}`;
    // SQLite keeps the order of a cross join. In another order it may read all children of a directory.
    return sql<EntryRow>`
    with recursive
      step (depth, name) as (${steps}),
      walk (depth, id) as (
        select 0, id from entry where ${isRoot(value)}
        union all
        select walk.depth + 1, entry.id
        from walk
        cross join step
        cross join entry
        where step.depth = walk.depth + 1 and entry.parent_id = walk.id and entry.name = step.name
      )
    select ${sql.raw(ENTRY_COLUMNS.join(', '))}
    from walk join entry on entry.id = walk.id
    order by walk.depth`.compile(db);
  });
}

/** The condition for the entry at a path of that many names. It is fast up to {@link MAX_COMPILED_DEPTH}. */
export function isAtPath(length: number, value: ValueOfPath): RawBuilder<unknown> {
  if (length === 0) return isRoot(value);
  const parent = sql`(select id from entry where ${isAtPath(length - 1, value)})`;
  return sql`parent_id = ${parent} and name = ${nameAt(length - 1, value)}`;
}

function isRoot(value: ValueOfPath): RawBuilder<unknown> {
  return sql`drive_id = ${value('driveId')} and parent_id is null and deleted_at is null`;
}

function nameAt(index: number, value: ValueOfPath): unknown {
  return value(String(index) as never);
}
