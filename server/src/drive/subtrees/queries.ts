import { sql } from 'kysely';
import type { FileName } from '../../base/text/names/file-name.ts';
import type { Db } from '../../database/database.ts';
import { type EntryWithObject, toObjectLocation } from '../entries/entry-object-queries.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';

/**
 * Follows paths down from a directory, with one query for any number of paths. A path is never empty. SQLite
 * keeps the order of a cross join, so it looks up every name in the index instead of scanning tables.
 * @returns the live entries at the ends of the paths, in their order; undefined where there is none
 */
export async function findBelow(
  db: Db,
  directoryId: number,
  paths: readonly (readonly FileName[])[],
): Promise<readonly (EntryWithObject | undefined)[]> {
  const steps = paths.flatMap((names, path) =>
    names.map((name, index) => {
      const isLast = index === names.length - 1 ? 1 : 0;
      return sql`(${sql.lit(path)}, ${sql.lit(index + 1)}, ${sql.lit(isLast)}, ${name})`;
    }),
  );
  if (steps.length === 0) return [];
  const { rows } = await sql<Row>`
    with recursive
      step (path, depth, is_last, name) as (values ${sql.join(steps)}),
      walk (path, depth, is_last, id) as (
        select step.path, step.depth, step.is_last, entry.id
        from step cross join entry
        where step.depth = 1 and entry.parent_id = ${directoryId} and entry.name = step.name
        union all
        select step.path, step.depth, step.is_last, entry.id
        from walk cross join step cross join entry
        where step.path = walk.path and step.depth = walk.depth + 1
          and entry.parent_id = walk.id and entry.name = step.name
      )
    select walk.path, ${sql.raw(ENTRY_COLUMNS.join(', '))}, blob.object_key, blob.policy_id
    from walk cross join entry left join blob on blob.id = entry.blob_id
    where walk.is_last = 1 and entry.id = walk.id and entry.deleted_at is null`.execute(db);
  const found = new Map(rows.map((row) => [row.path, row]));
  return paths.map((_, path) => {
    const row = found.get(path);
    return row && { entry: toEntry(row), location: toObjectLocation(row) };
  });
}

type Row = EntryRow & {
  readonly path: number;
  readonly object_key: string | null;
  readonly policy_id: number | null;
};
