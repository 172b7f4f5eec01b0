import type { Instant } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';

/**
 * Acquires or extends the lease unless another holder has it, and returns whether it succeeded. It is a
 * single statement, so only one of several concurrent callers succeeds.
 */
export async function acquireLease(
  tx: Tx,
  lease: { name: string; holder: string; now: Instant; expiresAt: Instant },
): Promise<boolean> {
  const acquired = await tx
    .insertInto('lease')
    .values({ name: lease.name, holder: lease.holder, expires_at: lease.expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, expires_at: lease.expiresAt })
        .where((where) =>
          where.or([where('lease.expires_at', '<=', lease.now), where('lease.holder', '=', lease.holder)]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return acquired !== undefined;
}

/**
 * Locks the row of a lease until the transaction ends, so that other instances wait when they try to acquire
 * it. Returns false if the holder has lost the lease.
 */
export async function lockLease(tx: Tx, name: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('lease')
    .set({ holder })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function releaseLease(tx: Tx, name: string, holder: string): Promise<void> {
  await tx.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
}
