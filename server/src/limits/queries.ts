import { sql } from 'kysely';
import { DAY, type Instant } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';
import type { StreakRule, WindowRule } from './rules.ts';

/** The state of a key that has no free slot. */
interface Refusal {
  readonly failures: number;
  readonly expiresAt: Instant;
  readonly blockedUntil: Instant;
}

/** A streak of failures is deleted after a day without an attempt. */
const STREAK_MEMORY_MS = DAY;

// Each `admit…` is a single statement that checks the limit and takes a slot. Running attempts count as
// failed until they end. So concurrent attempts cannot all pass the check before the first of them has
// failed.

export async function admitToWindow(tx: Tx, key: string, rule: WindowRule, now: Instant): Promise<boolean> {
  const isExpired = sql<boolean>`credential_attempt.expires_at <= ${now}`;
  const admitted = await tx
    .insertInto('credential_attempt')
    .values({ key, failures: 0, pending: 1, expires_at: now + rule.windowMs, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          failures: sql`case when ${isExpired} then 0 else credential_attempt.failures end`,
          pending: sql`case when ${isExpired} then 1 else credential_attempt.pending + 1 end`,
          expires_at: sql`case when ${isExpired} then ${now + rule.windowMs} else credential_attempt.expires_at end`,
        })
        .where(
          sql<boolean>`${isExpired} or credential_attempt.failures + credential_attempt.pending < ${rule.maxAttempts}`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return admitted !== undefined;
}

export async function admitToStreak(tx: Tx, key: string, rule: StreakRule, now: Instant): Promise<boolean> {
  const tried = sql`credential_attempt.failures + credential_attempt.pending`;
  const admitted = await tx
    .insertInto('credential_attempt')
    .values({ key, failures: 0, pending: 1, expires_at: now + STREAK_MEMORY_MS, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          pending: sql`credential_attempt.pending + 1`,
          expires_at: now + STREAK_MEMORY_MS,
          blocked_until: sql`case when ${tried} >= ${rule.freeFailures} then ${now + rule.baseDelayMs}
            else credential_attempt.blocked_until end`,
        })
        .where(sql<boolean>`${tried} < ${rule.freeFailures} or credential_attempt.blocked_until <= ${now}`),
    )
    .returning('key')
    .executeTakeFirst();
  return admitted !== undefined;
}

export async function findRefusal(tx: Tx, key: string): Promise<Refusal | undefined> {
  return tx
    .selectFrom('credential_attempt')
    .select(['failures', 'expires_at as expiresAt', 'blocked_until as blockedUntil'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Ends an attempt. Returns the number of failures in the streak or window, including this one. */
export async function endAttempt(tx: Tx, key: string, failed: boolean): Promise<number> {
  const row = await tx
    .updateTable('credential_attempt')
    .set({
      failures: sql`failures + ${failed ? 1 : 0}`,
      pending: sql`case when pending > 0 then pending - 1 else 0 end`,
    })
    .where('key', '=', key)
    .returning('failures')
    .executeTakeFirst();
  return row?.failures ?? 0;
}

export async function blockUntil(tx: Tx, key: string, instant: Instant): Promise<void> {
  await tx.updateTable('credential_attempt').set({ blocked_until: instant }).where('key', '=', key).execute();
}

export async function deleteAttempts(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('credential_attempt').where('key', '=', key).execute();
}
