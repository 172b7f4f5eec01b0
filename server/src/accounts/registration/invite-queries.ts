import type { Instant } from '../../base/clock.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { Db, Tx } from '../../database/database.ts';

export interface Invite {
  readonly id: number;
  readonly code: string;
  readonly note: string | null;
  readonly maxUses: number;
  readonly usedCount: number;
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
}

const COLUMNS = [
  'id',
  'code',
  'note',
  'max_uses as maxUses',
  'used_count as usedCount',
  'expires_at as expiresAt',
  'created_at as createdAt',
] as const;

export async function insertInvite(
  tx: Tx,
  invite: Omit<Invite, 'id' | 'usedCount'> & { readonly creatorId: number },
): Promise<Invite> {
  const { code, note, creatorId, maxUses, expiresAt, createdAt } = invite;
  return tx
    .insertInto('invite')
    .values({
      ...{ code, note, creator_id: creatorId, max_uses: maxUses },
      ...{ expires_at: expiresAt, created_at: createdAt },
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function countInvites(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('invite')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Newest first. */
export async function findInvites(
  db: Db,
  page: PageRequest,
): Promise<{ items: readonly Invite[]; total: number }> {
  const items = await db
    .selectFrom('invite')
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { items, total: await countInvites(db) };
}

export async function findInviteByCode(db: Db, code: string): Promise<Invite | undefined> {
  return db.selectFrom('invite').select(COLUMNS).where('code', '=', code).executeTakeFirst();
}

/** The display name of the administrator who created an invite; undefined if the account is gone. */
export async function findInviterName(db: Db, inviteId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('invite')
    .innerJoin('account', 'account.id', 'invite.creator_id')
    .select('account.display_name')
    .where('invite.id', '=', inviteId)
    .where('account.banned', '=', 0)
    .executeTakeFirst();
  return row?.display_name;
}

/** Takes one use of the code. Of several racing registrations, as many succeed as there are uses. */
export async function spendUse(tx: Tx, code: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invite')
    .set((invite) => ({ used_count: invite('used_count', '+', 1) }))
    .where('code', '=', code)
    .whereRef('used_count', '<', 'max_uses')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteInvite(tx: Tx, id: number): Promise<Invite | undefined> {
  return tx.deleteFrom('invite').where('id', '=', id).returning(COLUMNS).executeTakeFirst();
}
