import { sql } from 'kysely';
import type { Tx } from '../../../src/database/database.ts';
import { toNameColumns } from '../../../src/database/name-columns.ts';

const NAMES_PER_BATCH = 1_000;

/**
 * Computes the sort keys of entries that were inserted with plain SQL.
 * @param first the id of the first entry
 */
export async function fillSortNames(tx: Tx, first: number): Promise<void> {
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
