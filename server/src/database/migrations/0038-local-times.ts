import { type QueryExecutorProvider, sql } from 'kysely';
import { parseLocalTime } from '../../base/clock.ts';
import type { Migration } from '../migration.ts';

/*
 * The place of a picture in the timeline is the time on the clock where it was taken. The index has all columns
 * of the conditions too, as in migration 0023; `drive/timeline/queries.ts` repeats its expression and its
 * conditions.
 */
export const localTimes: Migration = {
  name: '0038-local-times',
  statements: ({ integer }) => [
    `alter table entry add column taken_local ${integer}`,
    'drop index entry__timeline',
    `create index entry__timeline on entry
        (owner_id, (coalesce(taken_local, taken_at, modified_at)) desc, id desc,
          taken_local, taken_at, modified_at, content_type, deleted_at)
      where deleted_at is null and (content_type >= 'image/' and content_type < 'image0'
        or content_type >= 'video/' and content_type < 'video0')`,
  ],
  fill: fillLocalTimes,
};

const FILES_PER_BATCH = 1_000;

/** The metadata of a file has its time with the zone. */
async function fillLocalTimes(tx: QueryExecutorProvider): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; time: string }>`
      select entry_id as id, value as time from entry_metadata
      where entry_id > ${after} and name = 'media:takenAt'
      order by entry_id limit ${FILES_PER_BATCH}`.execute(tx);
    await setLocalTimes(tx, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < FILES_PER_BATCH) return;
    after = last.id;
  }
}

async function setLocalTimes(
  tx: QueryExecutorProvider,
  files: readonly { readonly id: number; readonly time: string }[],
): Promise<void> {
  const changes = files.flatMap(({ id, time }) => {
    const local = parseLocalTime(time);
    // Without a zone it is the time that is stored.
    const hasZone = /[+-]\d\d:\d\d$/.test(time);
    return local === undefined || !hasZone ? [] : [sql`(cast(${id} as bigint), cast(${local} as bigint))`];
  });
  if (changes.length === 0) return;
  await sql`
    with changed (id, taken_local) as (values ${sql.join(changes)})
    update entry set taken_local = changed.taken_local from changed
    where entry.id = changed.id and entry.taken_at <> changed.taken_local`.execute(tx);
}
