import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** An account as other members of a drive see it. */
export interface LinkCreator {
  readonly accountId: number;
  readonly displayName: string;
}

/** The accounts that created the links, by the ids of the links. Leaves out accounts that are gone. */
export async function findCreators(
  db: Db,
  table: 'folder_link' | 'share',
  ids: readonly number[],
): Promise<ReadonlyMap<number, LinkCreator>> {
  const { rows } = await sql<LinkCreator & { readonly id: number }>`
    select link.id, account.id as "accountId", account.display_name as "displayName"
    from ${sql.table(table)} as link join account on account.id = link.creator_id
    where link.id in (${sql.join(ids)}) and account.deleting_at is null`.execute(db);
  return new Map(rows.map(({ id, ...creator }) => [id, creator]));
}
