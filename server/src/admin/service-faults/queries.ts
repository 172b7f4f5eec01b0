import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';

/**
 * Records that a fault was found. Only one of several concurrent callers succeeds.
 * @param notifiedUntil when administrators were last told at the latest
 * @returns whether administrators must be told now
 */
export async function putFault(
  tx: Tx,
  { name, now, notifiedUntil }: { name: string; now: Instant; notifiedUntil: Instant },
): Promise<boolean> {
  const row = await tx
    .insertInto('service_fault')
    .values({ name, began_at: now, notified_at: now, ended_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ notified_at: now, began_at: beganAt(now), ended_at: null })
        .where('service_fault.notified_at', '<=', notifiedUntil),
    )
    .returning('name')
    .executeTakeFirst();
  if (row !== undefined) return true;
  await tx
    .updateTable('service_fault')
    .set({ began_at: now, ended_at: null })
    .where('name', '=', name)
    .where('ended_at', 'is not', null)
    .execute();
  return false;
}

/** A fault that has ended begins again. */
function beganAt(now: Instant): RawBuilder<Instant> {
  return sql`case when service_fault.ended_at is null then service_fault.began_at
    else ${now} end`;
}

/** Keeps the row, because it says when administrators were last told. */
export async function endFault(tx: Tx, name: string, now: Instant): Promise<void> {
  await tx
    .updateTable('service_fault')
    .set({ ended_at: now })
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .execute();
}

/** Deletes faults about which administrators have not been told since then, so they no longer last. */
export async function deleteOldFaults(tx: Tx, notifiedUntil: Instant): Promise<void> {
  await tx.deleteFrom('service_fault').where('notified_at', '<=', notifiedUntil).execute();
}

/** The accounts of administrators, the oldest first. */
export async function findAdmins(db: Db, limit: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('banned', '=', 0)
    .where('deleting_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
