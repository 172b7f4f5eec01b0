import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

/** What the record of an entry in a shared drive says about accounts. */
export interface MemberFacts {
  /** Null if the account is gone, or if the entry was last changed by the system or a visitor. */
  readonly changedBy: { readonly accountId: number; readonly displayName: string } | null;
  /** Whether the viewer has marked the entry with a star. */
  readonly starred: boolean;
}

/** The facts about entries, by their ids, as an account sees them. */
export async function findMemberFacts(
  db: Db,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MemberFacts>> {
  const { rows } = await sql<Row>`
    select entry.id, account.id as account_id, account.display_name, star.account_id as starred_by
    from entry
      left join account on account.id = entry.changed_by and account.deleting_at is null
      left join star on star.entry_id = entry.id and star.account_id = ${accountId}
    where entry.id in (${sql.join(ids)})`.execute(db);
  return new Map(rows.map((row) => [row.id, toFacts(row)]));
}

interface Row {
  readonly id: number;
  readonly account_id: number | null;
  readonly display_name: string | null;
  readonly starred_by: number | null;
}

function toFacts({
  account_id: accountId,
  display_name: displayName,
  starred_by: starredBy,
}: Row): MemberFacts {
  const isKnown = accountId !== null && displayName !== null;
  return { changedBy: isKnown ? { accountId, displayName } : null, starred: starredBy !== null };
}
