import type { Db, Tx } from '../database/database.ts';

/** The smallest and the greatest id of the events; null if there are none. */
export async function findEventIds(db: Db): Promise<{ first: number | null; last: number | null }> {
  return db
    .selectFrom('event')
    .select((select) => [
      select.selectFrom('event').select('id').orderBy('id').limit(1).as('first'),
      select.selectFrom('event').select('id').orderBy('id', 'desc').limit(1).as('last'),
    ])
    .limit(1)
    .executeTakeFirst()
    .then((ids) => ids ?? { first: null, last: null });
}

/** Removes the account from those of its events whose ids are from `first` to before `end`. */
export async function clearActor(
  tx: Tx,
  accountId: number,
  { first, end }: { readonly first: number; readonly end: number },
): Promise<void> {
  await tx
    .updateTable('event')
    .set({ actor_id: null, actor_name: null })
    .where('id', '>=', first)
    .where('id', '<', end)
    .where('actor_id', '=', accountId)
    .execute();
}
