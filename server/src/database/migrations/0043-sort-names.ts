import { type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from '../migration.ts';
import { toNameColumns } from '../name-columns.ts';

/*
 * Lists by name are in the order of a stored key, in which numbers count as numbers. The indexes are made after the
 * column is filled, which is faster than changing them with each row.
 */
export const sortNames: Migration = {
  name: '0043-sort-names',
  statements: ({ text }) => [
    'drop index entry__page',
    'drop index entry__page_by_name',
    'drop index entry__search',
    `alter table entry add column sort_name ${text} not null default ''`,
  ],
  fill: async (tx) => {
    await fillSortNames(tx);
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};

const INDEXES = [
  'create index entry__page on entry (parent_id, is_directory desc, sort_name, name, id)',
  'create index entry__page_by_name on entry (parent_id, sort_name, name, id)',
  // As in migration 0024, with the other order.
  `create index entry__search on entry
      (owner_id, sort_name, id, is_directory, size, created_at, updated_at, parent_id, deleted_at, modified_at,
        kind, folded_name, plain_name)
    where deleted_at is null and parent_id is not null`,
];

const NAMES_PER_BATCH = 1_000;

/** @param first the id of the first entry whose key is computed */
export async function fillSortNames(tx: QueryExecutorProvider, first = 0): Promise<void> {
  for (let after = first - 1; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from entry where id > ${after} order by id limit ${NAMES_PER_BATCH}`.execute(tx);
    const last = rows.at(-1);
    if (last === undefined) return;
    const changes = rows.map(
      ({ id, name }) => sql`(cast(${id} as bigint), cast(${toNameColumns(name).sort_name} as text))`,
    );
    await sql`
      with changed (id, sort_name) as (values ${sql.join(changes)})
      update entry set sort_name = changed.sort_name from changed where entry.id = changed.id`.execute(tx);
    after = last.id;
  }
}
