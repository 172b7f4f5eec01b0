import { type RawBuilder, sql } from 'kysely';
import type { FileName } from '../../base/text/names/file-name.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db } from '../../database/database.ts';
import type { Entry } from './entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './entry-queries.ts';

/** The values of {@link pathWalk}: the owner of the drive, and the names of the path by their index. */
export interface PathWalk {
  readonly ownerId: number;
  readonly [index: number]: FileName;
}

/** Statements for deeper paths are not kept, because such paths are rare. */
export const MAX_COMPILED_DEPTH = 16;

/** The compiled statements by the number of names. */
const WALKS = new Map<number, CompiledOnce<PathWalk, EntryRow>>();

/**
 * Follows a path from the root of the drive as far as it exists. Returns the root first, then one entry for
 * each segment that was found. Takes one query at any depth.
 */
export async function walkPath(
  db: Db,
  ownerId: number,
  names: readonly FileName[],
): Promise<readonly Entry[]> {
  const { length } = names;
  let statement = WALKS.get(length);
  if (statement === undefined) {
    statement = new CompiledOnce((compiler, value) =>
      sql<EntryRow>`
        with recursive ${pathWalk(length, value)}
        select ${sql.raw(ENTRY_COLUMNS.join(', '))}
        from walk join entry on entry.id = walk.id
        order by walk.depth`.compile(compiler),
    );
    if (length <= MAX_COMPILED_DEPTH) WALKS.set(length, statement);
  }
  const { rows } = await statement.run(db, { ownerId, ...names });
  return rows.map(toEntry);
}

/**
 * The parts of a `with recursive` that follow a path of that many names. The last one is `walk (depth, id)`: the root
 * with the depth 0, then each entry on the path that exists.
 */
export function pathWalk<Values extends PathWalk>(
  length: number,
  value: <Name extends keyof Values & string>(name: Name) => Values[Name],
): RawBuilder<unknown> {
  const steps = Array.from(
    { length },
    (_, index) => sql`(${sql.lit(index + 1)}, ${value(String(index) as never)})`,
  );
  return sql`
    step (depth, name) as (
      ${length === 0 ? sql`select 0 as depth, '' as name where 1 = 0` : sql`values ${sql.join(steps)}`}
    ),
    walk (depth, id) as (
      select 0, id from entry where owner_id = ${value('ownerId')} and parent_id is null and deleted_at is null
      union all
      select walk.depth + 1, entry.id
      from walk
      join step on step.depth = walk.depth + 1
      join entry on entry.parent_id = walk.id and entry.name = step.name
    )`;
}
