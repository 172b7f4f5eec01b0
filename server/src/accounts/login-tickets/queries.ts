import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';

/** Marks a ticket as used. Of several racing requests, one gets true. */
export async function insertUsedTicket(tx: Tx, id: string, expiresAt: Instant): Promise<boolean> {
  const inserted = await tx
    .insertInto('used_login_ticket')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
