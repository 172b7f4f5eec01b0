import { sql } from 'kysely';
import { CompiledForIds } from '../../database/compiled-for-ids.ts';
import type { Db } from '../../database/database.ts';

/** Who last changed an entry. */
export interface ChangedBy {
  readonly accountId: number;
  readonly displayName: string;
}

/** The accounts with those ids, by id. Leaves out accounts that are being deleted. */
export async function findChangedBy(
  db: Db,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, ChangedBy>> {
  const rows = await CHANGED_BY.findAll(db, {}, accountIds);
  return new Map(rows.map((row) => [row.accountId, row]));
}

/** The ids of those entries that an account has marked with a star in a shared drive. */
export async function findStarred(
  db: Db,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await STARRED.findAll(db, { accountId }, ids);
  return new Set(rows.map(({ id }) => id));
}

const CHANGED_BY = new CompiledForIds<object, ChangedBy>((db, _value, ids) =>
  db
    .selectFrom('account')
    .select(['id as accountId', 'display_name as displayName'])
    .where(sql<boolean>`id in (${ids})`)
    .where('deleting_at', 'is', null)
    .compile(),
);

const STARRED = new CompiledForIds<{ readonly accountId: number }, { id: number }>((db, value, ids) =>
  db
    .selectFrom('star')
    .select('entry_id as id')
    .where('account_id', '=', value('accountId'))
    .where(sql<boolean>`entry_id in (${ids})`)
    .compile(),
);
