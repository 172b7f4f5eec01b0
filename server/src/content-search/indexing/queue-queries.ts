import { type RawBuilder, sql } from 'kysely';
import { HOUR, type Instant } from '../../base/clock.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import type { StoredText } from '../../database/text-index.ts';
import type { ObjectLocation } from '../../policies/policies.ts';

const IS_IN_USE = sql`blob.reference_count > 0 and blob.removing_at is null`;

/**
 * The condition on a blob that it can have a text. Blobs of other kinds have none, until they are imported as
 * files ({@link addToQueue}). Not `exists`, for which PostgreSQL would read all entries.
 */
export const HAS_TEXT = sql`(blob.kind = 'FILE'
    or (select entry.id from entry where entry.blob_id = blob.id limit 1) is not null)
  and ${IS_IN_USE}`;

/** Any drive that has the file. */
export const DRIVE = sql`coalesce((select min(entry.drive_id) from entry where entry.blob_id = blob.id), 0)`;

/** Adds one blob of any kind, unless it is there. */
export async function addToQueue(tx: Tx, blobId: number, now: Instant): Promise<void> {
  await sql`
    insert into text_queue (blob_id, drive_id, state, is_backlog, due_at)
    select blob.id, ${DRIVE}, 'WAITING', 0, cast(${now} as bigint) from blob where blob.id = ${blobId}
    on conflict (blob_id) do nothing`.execute(tx);
}

/** Makes the text of a blob be taken again, unless it waits already. */
export async function queueAgain(tx: Tx, blobId: number, now: Instant): Promise<void> {
  await sql`
    insert into text_queue (blob_id, drive_id, state, is_backlog, due_at)
    select blob.id, ${DRIVE}, 'WAITING', 1, cast(${now} as bigint) from blob where blob.id = ${blobId}
    on conflict (blob_id) do update
      set state = 'WAITING', is_backlog = 1, attempts = 0, due_at = excluded.due_at, reason = null
      where text_queue.due_at is null`.execute(tx);
}

/** A text that this instance takes. */
export interface ClaimedText extends ObjectLocation {
  readonly blobId: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Whether an earlier attempt ended a service or a process, so nothing else should run beside it. */
  readonly isSuspect: boolean;
  /** The name of a file with this content; empty if there is none. */
  readonly name: string;
  readonly size: number;
}

// The conditions of the two partial indexes.
const IS_FIRST = sql`due_at is not null and attempts = 0`;
const IS_REPEATED = sql`due_at is not null and attempts > 0`;

/** The reason of a text that waits after an attempt that ended a service or a process. */
const SUSPECT = 'interrupted';

/** Whether a text can be taken now. */
export async function hasDueText(db: Db, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    select 1
    where exists (select 1 from text_queue where ${IS_FIRST} and is_backlog in (0, 1) and due_at <= ${now})
      or exists (select 1 from text_queue where ${IS_REPEATED} and is_backlog in (0, 1) and due_at <= ${now})
  `.execute(db);
  return rows.length > 0;
}

/** The next drive, by its id, with a text that is due for its first attempt. */
export async function findDueDrive(
  db: Db,
  { isBacklog, after, now }: { isBacklog: Flag; after: number; now: Instant },
): Promise<number | undefined> {
  const { rows } = await sql<{ drive_id: number }>`
    select drive_id from text_queue
    where ${IS_FIRST} and is_backlog = ${isBacklog} and drive_id > ${after} and due_at <= ${now}
    order by drive_id limit 1`.execute(db);
  return rows[0]?.drive_id;
}

/** Which text is the next for another attempt; undefined if none is due. */
export async function findRepeated(
  db: Db,
  { isBacklog, now }: { isBacklog: Flag; now: Instant },
): Promise<{ isSuspect: boolean } | undefined> {
  const { rows } = await sql<{ reason: string | null }>`
    select reason from text_queue where ${IS_REPEATED} and is_backlog = ${isBacklog} and due_at <= ${now}
    order by due_at, blob_id limit 1`.execute(db);
  return rows[0] && { isSuspect: rows[0].reason === SUSPECT };
}

interface Claim {
  readonly isBacklog: Flag;
  readonly now: Instant;
  /** When the claim counts as lost. */
  readonly until: Instant;
}

/** Claims a text of a drive for its first attempt. */
export async function claimFirst(
  tx: Tx,
  claim: Claim & { readonly driveId: number },
): Promise<readonly ClaimedText[] | undefined> {
  const { isBacklog, driveId, now } = claim;
  return await claimTexts(
    tx,
    claim,
    sql`select blob_id from text_queue
      where ${IS_FIRST} and is_backlog = ${isBacklog} and drive_id = ${driveId} and due_at <= ${now}
      order by due_at, blob_id limit 1`,
  );
}

/** Claims texts for another attempt: one suspect, or the next few without suspects. */
export async function claimRepeated(
  tx: Tx,
  claim: Claim & { readonly isSuspect: boolean; readonly limit: number },
): Promise<readonly ClaimedText[] | undefined> {
  return await claimTexts(
    tx,
    claim,
    sql`select blob_id from (
        select blob_id, reason from text_queue
        where ${IS_REPEATED} and is_backlog = ${claim.isBacklog} and due_at <= ${claim.now}
        order by due_at, blob_id limit ${claim.isSuspect ? 1 : claim.limit}
      ) as next
      where coalesce(reason = ${SUSPECT}, false) = ${claim.isSuspect ? sql`true` : sql`false`}`,
  );
}

/**
 * Only one of several concurrent callers gets a text. Blobs that nothing refers to are postponed: they are
 * about to be deleted.
 * @param blobIds selects the texts
 * @returns undefined if none is due; an empty list if all were postponed
 */
async function claimTexts(
  tx: Tx,
  { now, until }: Claim,
  blobIds: RawBuilder<unknown>,
): Promise<readonly ClaimedText[] | undefined> {
  const { rows: claimed } = await sql<{ id: number; attempts: number; reason: string | null }>`
    update text_queue set state = 'CLAIMED', attempts = attempts + 1, due_at = ${until}
    where due_at <= ${now} and blob_id in (${blobIds})
    returning blob_id as id, attempts, reason`.execute(tx);
  if (claimed.length === 0) return undefined;
  const { rows } = await sql<Omit<ClaimedText, 'attempt' | 'isSuspect'> & { isInUse: Flag }>`
    select blob.id as "blobId", blob.policy_id as "policyId", blob.object_key as "objectKey", blob.size,
      case when ${IS_IN_USE} then 1 else 0 end as "isInUse",
      coalesce(
        (select name from entry where entry.blob_id = blob.id order by entry.id limit 1),
        (select name from file_version join entry on entry.id = file_version.entry_id
          where file_version.blob_id = blob.id order by file_version.id limit 1),
        '') as name
    from blob where blob.id in (${sql.join(claimed.map(({ id }) => id))}) order by blob.id`.execute(tx);
  const byId = new Map(claimed.map((row) => [row.id, row]));
  const texts: ClaimedText[] = [];
  for (const { isInUse, ...row } of rows) {
    const { attempts = 1, reason } = byId.get(row.blobId) ?? {};
    const text = { ...row, attempt: attempts, isSuspect: reason === SUSPECT };
    if (isInUse === 1) texts.push(text);
    else await giveBack(tx, text, { dueAt: now + HOUR, isCounted: false });
  }
  return texts;
}

/** Whether a file is still in use, with its bytes where they were when its text was claimed. */
export async function isInPlace(db: Db, { blobId, policyId, objectKey }: ClaimedText): Promise<boolean> {
  const { rows } = await sql`
    select 1 from blob
    where id = ${blobId} and policy_id = ${policyId} and object_key = ${objectKey} and ${IS_IN_USE}`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Gives back the texts that were claimed by a service that has died. The caller has the lease of the job, so
 * no one else takes texts.
 * @param later when texts may be taken that were lost more than once
 */
export async function giveBackLost(tx: Tx, { now, later }: { now: Instant; later: Instant }): Promise<void> {
  await sql`
    update text_queue
    set state = 'WAITING', due_at = case when attempts > 1 then cast(${later} as bigint) else ${now} end,
      reason = ${SUSPECT}
    where state = 'CLAIMED'`.execute(tx);
}

/** An attempt, which another one may have replaced. */
type Attempt = Pick<ClaimedText, 'blobId' | 'attempt'>;

/** How an attempt ended with a text. */
interface TakenText extends Omit<StoredText, 'blobId'> {
  readonly terms: readonly string[];
}

/** Changes nothing if the attempt is no longer the current one, or if the blob is gone. */
export async function putText(
  tx: Tx,
  { textIndex }: Database['engine'],
  attempt: Attempt,
  { terms, ...text }: TakenText,
): Promise<void> {
  if (!(await endAttempt(tx, attempt, { state: 'INDEXED', reason: null }))) return;
  for (const statement of textIndex.put({ ...text, blobId: attempt.blobId }, terms)) {
    await statement.execute(tx);
  }
}

/** Records that a file has no text. An older text is removed. */
export async function putNoText(
  tx: Tx,
  { textIndex }: Database['engine'],
  attempt: Attempt,
  reason: string,
): Promise<void> {
  if (!(await endAttempt(tx, attempt, { state: 'WITHOUT_TEXT', reason }))) return;
  for (const statement of textIndex.remove(attempt.blobId)) await statement.execute(tx);
}

/** Records that no further attempt follows. An older text can still be found. */
export async function giveUp(tx: Tx, attempt: Attempt, reason: string): Promise<void> {
  await endAttempt(tx, attempt, { state: 'GIVEN_UP', reason });
}

/** Returns whether the attempt was the current one. */
async function endAttempt(
  tx: Tx,
  attempt: Attempt,
  { state, reason }: { state: 'INDEXED' | 'WITHOUT_TEXT' | 'GIVEN_UP'; reason: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update text_queue set state = ${state}, due_at = null, reason = ${reason}
    where ${isCurrent(attempt)} returning blob_id`.execute(tx);
  return rows.length > 0;
}

/**
 * Gives back a text for an attempt at a later time.
 * @param isCounted whether this attempt counts
 * @param isSuspect whether it ended a process. An attempt that does not count leaves this as it was.
 */
export async function giveBack(
  tx: Tx,
  attempt: Attempt,
  { dueAt, isCounted, isSuspect = false }: { dueAt: Instant; isCounted: boolean; isSuspect?: boolean },
): Promise<void> {
  await sql`
    update text_queue set state = 'WAITING', due_at = ${dueAt}, attempts = attempts - ${isCounted ? 0 : 1},
      reason = ${isCounted ? (isSuspect ? SUSPECT : null) : sql`reason`}
    where ${isCurrent(attempt)}`.execute(tx);
}

function isCurrent({ blobId, attempt }: Attempt) {
  return sql`blob_id = ${blobId} and state = 'CLAIMED' and attempts = ${attempt}`;
}
