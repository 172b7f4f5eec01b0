import type { Insertable } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import { foldName } from '../base/text/names/file-name.ts';
import { containsText } from '../database/contains-text.ts';
import type { Db, Tx } from '../database/database.ts';
import type { AuditTable } from '../database/tables/schema.ts';
import type { AuditAction } from './contract.ts';

export interface AuditRecord {
  readonly id: number;
  readonly actorId: number | null;
  readonly actor: string;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string | null;
  readonly target: string;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
}

/** An entry about an account, without the name of the actor. */
export interface AuditedChange<A extends AuditAction = AuditAction> {
  readonly id: number;
  readonly action: A;
  readonly actorId: number | null;
  readonly createdAt: Instant;
}

export interface AuditFilter {
  /** A part of the actor's name. */
  readonly actorQuery?: string | undefined;
  readonly actionType?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
}

export async function insertAudit(tx: Tx, row: Insertable<AuditTable>): Promise<void> {
  await tx.insertInto('audit').values(row).execute();
}

/** Removes the id of an account from the entries about its actions. The actor's name stays. */
export async function clearActorId(tx: Tx, accountId: number): Promise<void> {
  await tx.updateTable('audit').set({ actor_id: null }).where('actor_id', '=', accountId).execute();
}

/** The newest entries with these actions about an account, newest first. */
export async function findChangesOf<A extends AuditAction>(
  db: Db,
  accountId: number,
  actions: readonly A[],
  limit: number,
): Promise<readonly AuditedChange<A>[]> {
  const query = db
    .selectFrom('audit')
    .select(['id', 'action', 'actor_id as actorId', 'created_at as createdAt'])
    .where('target_id', '=', String(accountId))
    .where('target_type', '=', 'USER')
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(limit);
  // The condition allows no other actions.
  return query.$castTo<AuditedChange<A>>().execute();
}

export async function findAudits(
  db: Db,
  filter: AuditFilter,
  page: PageRequest,
): Promise<{ items: readonly AuditRecord[]; total: number }> {
  const { total } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  const items = rows.map((row) => ({
    id: row.id,
    actorId: row.actor_id,
    actor: row.actor,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    target: row.target,
    summary: row.summary,
    // Written by `insertAudit`.
    details: JSON.parse(row.details) as Record<string, unknown>,
    createdAt: row.created_at,
  }));
  return { items, total };
}

function filtered(db: Db, { actorQuery, actionType, targetType, targetId }: AuditFilter) {
  let query = db.selectFrom('audit');
  if (actorQuery !== undefined) query = query.where(containsText('folded_actor', foldName(actorQuery)));
  if (actionType !== undefined) query = query.where('action', '=', actionType);
  if (targetType !== undefined) query = query.where('target_type', '=', targetType);
  if (targetId !== undefined) query = query.where('target_id', '=', targetId);
  return query;
}
