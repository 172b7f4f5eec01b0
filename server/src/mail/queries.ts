import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';

export interface NewMail {
  readonly accountId: number | null;
  readonly address: string;
  readonly kind: string;
  readonly language: string;
  readonly sealedData: string;
  readonly now: Instant;
}

/** Inserts a mail unless `maxWaiting` mails wait already; returns whether it was inserted. */
export async function insertMail(tx: Tx, mail: NewMail, maxWaiting: number): Promise<boolean> {
  const { accountId, address, kind, language, sealedData, now } = mail;
  // PostgreSQL needs the casts, because it does not derive the types of a select's values.
  const { numAffectedRows } = await sql`
    insert into mail (account_id, address, kind, language, sealed_data, created_at, next_attempt_at)
    select cast(${accountId} as bigint), cast(${address} as text), cast(${kind} as text),
      cast(${language} as text), cast(${sealedData} as text), cast(${now} as bigint), cast(${now} as bigint)
    where (
      select count(*) from (
        select 1 from mail where next_attempt_at is not null limit ${maxWaiting}
      ) as waiting
    ) < ${maxWaiting}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Counts a mail to the account, unless it got `maxMails` on this day; returns whether it was counted. */
export async function countMail(
  tx: Tx,
  { accountId, day, maxMails }: { accountId: number; day: Instant; maxMails: number },
): Promise<boolean> {
  const counted = await tx
    .insertInto('mail_count')
    .values({ account_id: accountId, day, mails: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({
          day,
          mails: sql`case when mail_count.day = ${day} then mail_count.mails + 1 else 1 end`,
        })
        .where((where) =>
          where.or([where('mail_count.day', '<>', day), where('mail_count.mails', '<', maxMails)]),
        ),
    )
    .returning('mails')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Takes as long as {@link countMail}, and counts nothing, because no account has the id 0. */
export async function countNoMail(tx: Tx): Promise<void> {
  await tx.updateTable('mail_count').set({ mails: 1 }).where('account_id', '=', 0).execute();
}

/** A mail that is being sent. */
export interface ClaimedMail {
  readonly id: number;
  readonly accountId: number | null;
  readonly address: string;
  readonly kind: string;
  readonly language: string;
  readonly sealedData: string;
  readonly createdAt: Instant;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/** The ids of mails that are due, those that have waited longest first. */
export async function findDueMails(db: Db, now: Instant, limit: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('mail')
    .select('id')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Begins an attempt. Only one of several concurrent callers succeeds.
 * @param nextAttemptAt when the mail becomes due again if this instance crashes
 * @returns undefined if the mail is not due
 */
export async function claimMail(
  tx: Tx,
  { id, now, nextAttemptAt }: { id: number; now: Instant; nextAttemptAt: Instant },
): Promise<ClaimedMail | undefined> {
  const row = await tx
    .updateTable('mail')
    .set({ next_attempt_at: nextAttemptAt, attempted_at: now, attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .where('next_attempt_at', '<=', now)
    .returning([
      'id',
      'account_id as accountId',
      'address',
      'kind',
      'language',
      'sealed_data as sealedData',
      'created_at as createdAt',
      'attempts as attempt',
    ])
    .executeTakeFirst();
  return row && { ...row, sealedData: row.sealedData ?? '' };
}

/** Deletes a mail that was sent. */
export async function deleteMail(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Changes nothing if another attempt has begun since. */
export async function scheduleMail(
  tx: Tx,
  { id, attempt }: ClaimedMail,
  { nextAttemptAt, error }: { nextAttemptAt: Instant; error: string | null },
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ next_attempt_at: nextAttemptAt, last_error: error })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('next_attempt_at', 'is not', null)
    .execute();
}

/** Gives a mail up, and forgets what it said. Changes nothing if another attempt has begun since. */
export async function failMail(
  tx: Tx,
  { id, attempt }: ClaimedMail,
  { now, error }: { now: Instant; error: string },
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ next_attempt_at: null, failed_at: now, sealed_data: null, last_error: error })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('next_attempt_at', 'is not', null)
    .execute();
}

/** Deletes failed mails; returns how many. @param failedUntil when they failed at the latest */
export async function deleteFailedMails(tx: Tx, failedUntil: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('mail')
    .where('id', 'in', (failed) =>
      failed
        .selectFrom('mail')
        .select('id')
        .where('failed_at', '<=', failedUntil)
        .orderBy('failed_at')
        .limit(limit),
    )
    .execute()
    .then(([result]) => result ?? { numDeletedRows: 0n });
  return Number(numDeletedRows);
}

export interface WaitingMails {
  readonly waiting: number;
  /** When the mail that has waited longest was queued; null if none waits. */
  readonly oldestAt: Instant | null;
}

/** At most as many as may wait. */
export async function countWaitingMails(db: Db): Promise<WaitingMails> {
  const { waiting, oldestAt } = await db
    .selectFrom('mail')
    .where('next_attempt_at', 'is not', null)
    .select(({ fn }) => [sql<number>`count(*)`.as('waiting'), fn.min('created_at').as('oldestAt')])
    .executeTakeFirstOrThrow();
  return { waiting, oldestAt };
}

export interface FailedMail {
  readonly id: number;
  readonly kind: string;
  readonly address: string;
  readonly failedAt: Instant;
  readonly error: string;
}

/** The mails that failed last, the newest first. */
export async function findFailedMails(db: Db, limit: number): Promise<readonly FailedMail[]> {
  const rows = await db
    .selectFrom('mail')
    .select(['id', 'kind', 'address', 'failed_at', 'last_error'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, kind, address, failed_at: failedAt, last_error: error }) => ({
    ...{ id, kind, address },
    failedAt: failedAt ?? 0,
    error: error ?? '',
  }));
}

/** Why the last attempt failed, of all mails that have not been sent; null if none failed. */
export async function findLastMailError(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('mail')
    .select('last_error')
    .where('last_error', 'is not', null)
    .orderBy('attempted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.last_error ?? null;
}

/** Deletes the mails that failed; returns how many there were. */
export async function deleteAllFailedMails(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('mail')
    .where('failed_at', 'is not', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
