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

/** How many mails wait to be sent, counted up to `max`. */
export async function countWaitingUpTo(db: Db, max: number): Promise<number> {
  const { waiting } = await db
    .selectFrom((from) =>
      from.selectFrom('mail').select('id').where('next_attempt_at', 'is not', null).limit(max).as('some'),
    )
    .select(sql<number>`count(*)`.as('waiting'))
    .executeTakeFirstOrThrow();
  return waiting;
}

export async function insertMails(tx: Tx, mails: readonly NewMail[]): Promise<void> {
  await tx.insertInto('mail').values(mails.map(toRow)).execute();
}

/** Takes as long as {@link insertMails} for one mail, and inserts nothing. */
export async function insertNoMail(tx: Tx, mail: NewMail): Promise<void> {
  const { account_id: accountId, address, kind, language, sealed_data: sealedData, created_at } = toRow(mail);
  // PostgreSQL needs the casts, because it does not derive the types of a select's values.
  await sql`
    insert into mail (account_id, address, kind, language, sealed_data, created_at, next_attempt_at)
    select cast(${accountId} as bigint), cast(${address} as text), cast(${kind} as text),
      cast(${language} as text), cast(${sealedData} as text), cast(${created_at} as bigint),
      cast(${created_at} as bigint)
    where 1 = 0`.execute(tx);
}

function toRow({ accountId, address, kind, language, sealedData, now }: NewMail) {
  return {
    ...{ account_id: accountId, address, kind, language },
    ...{ sealed_data: sealedData, created_at: now, next_attempt_at: now },
  };
}

/** How many mails an account gets: those that can be turned off, and the others. */
export interface MailsOfAccount {
  readonly accountId: number;
  readonly mails: number;
  readonly optionalMails: number;
}

/**
 * Adds to the numbers of mails that the accounts got on this day.
 * @param added in the order of their accounts, so that two transactions cannot wait for each other
 * @returns the new numbers
 */
export async function countMails(
  tx: Tx,
  day: Instant,
  added: readonly MailsOfAccount[],
): Promise<readonly MailsOfAccount[]> {
  const add = (column: 'mails' | 'optional_mails') =>
    sql<number>`case when mail_count.day = ${day} then mail_count.${sql.ref(column)} else 0 end
      + excluded.${sql.ref(column)}`;
  return tx
    .insertInto('mail_count')
    .values(
      added.map(({ accountId, mails, optionalMails }) => ({
        ...{ account_id: accountId, day, mails, optional_mails: optionalMails },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ day, mails: add('mails'), optional_mails: add('optional_mails') }),
    )
    .returning(['account_id as accountId', 'mails', 'optional_mails as optionalMails'])
    .execute();
}

/** Takes as long as {@link countMails}, and counts nothing, because no account has the id 0. */
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

/**
 * Gives a mail up, and forgets what it said. Changes nothing if another attempt has begun since.
 * @param kept how many failed mails are kept; the oldest ones are deleted
 */
export async function failMail(
  tx: Tx,
  { id, attempt }: ClaimedMail,
  { now, error, kept }: { now: Instant; error: string; kept: number },
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ next_attempt_at: null, failed_at: now, sealed_data: null, last_error: error })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('next_attempt_at', 'is not', null)
    .execute();
  await tx
    .deleteFrom('mail')
    .where('id', 'in', (older) =>
      older
        .selectFrom('mail')
        .select('id')
        .where('failed_at', 'is not', null)
        .orderBy('failed_at', 'desc')
        .orderBy('id', 'desc')
        .limit(100)
        .offset(kept),
    )
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

/** The count is bounded by the outbox limit. */
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
