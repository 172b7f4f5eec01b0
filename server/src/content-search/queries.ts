import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { TextState } from '../database/tables/blobs.ts';

/** How far texts have been taken. */
export interface TextFigures {
  /** Files whose text is being taken, or will be. */
  readonly waiting: number;
  /** Files whose text can be found, also while it is taken again. */
  readonly indexed: number;
  readonly withoutText: number;
  readonly givenUp: number;
  /** Of all texts, in UTF-8. */
  readonly textBytes: number;
  /** Why an attempt failed last, and when. Null when nothing waits. */
  readonly lastError: string | null;
  readonly lastErrorAt: Instant | null;
}

/** Reads an index entry for each text, and one for each file in the queue. */
export async function findTextFigures(db: Db): Promise<TextFigures> {
  const { rows } = await sql<{ state: TextState; files: number }>`
    select state, count(*) as files from text_queue group by state`.execute(db);
  const count = (...states: readonly TextState[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, { files }) => sum + files, 0);
  const { rows: sums } = await sql<{ texts: number; bytes: number }>`
    select count(*) as texts, cast(coalesce(sum(text_bytes), 0) as bigint) as bytes from blob_text`.execute(
    db,
  );
  const scan = await db.selectFrom('text_scan').select(['last_error', 'last_error_at']).executeTakeFirst();
  return {
    waiting: count('WAITING', 'CLAIMED'),
    indexed: sums[0]?.texts ?? 0,
    withoutText: count('WITHOUT_TEXT'),
    givenUp: count('GIVEN_UP'),
    textBytes: sums[0]?.bytes ?? 0,
    lastError: scan?.last_error ?? null,
    lastErrorAt: scan?.last_error_at ?? null,
  };
}

/** Whether there are many texts, for `Database.readBySize`. */
export async function hasManyTexts(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from text_queue limit 1 offset 10000`.execute(db);
  return rows.length > 0;
}

/** The compressed texts of blobs that have one, by blob. */
export async function findTexts(
  db: Db,
  blobIds: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const rows = await db
    .selectFrom('blob_text')
    .select(['blob_id', 'text'])
    .where('blob_id', 'in', blobIds)
    .execute();
  return new Map(rows.map(({ blob_id: id, text }) => [id, text]));
}

/**
 * Queues the next known blobs again. Their texts can be found until then. New files keep their place before
 * the backlog, and attempts that run now become void.
 * @returns the last id; undefined if there are no more
 */
export async function queueNextAgain(
  tx: Tx,
  { after, limit, now }: { after: number; limit: number; now: Instant },
): Promise<{ lastId: number; queued: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    select blob_id as id from text_queue where blob_id > ${after} order by blob_id limit ${limit}`.execute(
    tx,
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  await sql`
    update text_queue set state = 'WAITING', is_backlog = case when due_at is null then 1 else is_backlog end,
      attempts = case when state = 'CLAIMED' then attempts else 0 end, due_at = ${now}, reason = null
    where blob_id > ${after} and blob_id <= ${last.id}`.execute(tx);
  return { lastId: last.id, queued: rows.length };
}

/** Queues the next files that were given up, after all others. @returns their number, at most the limit */
export async function queueNextGivenUp(
  tx: Tx,
  { limit, now }: { limit: number; now: Instant },
): Promise<number> {
  const { rows } = await sql`
    update text_queue set state = 'WAITING', is_backlog = 1, attempts = 0, due_at = ${now}, reason = null
    where blob_id in (select blob_id from text_queue where state = 'GIVEN_UP' limit ${limit})
    returning blob_id`.execute(tx);
  return rows.length;
}

/** Makes the next scan look at all blobs. */
export async function scanFromStart(tx: Tx): Promise<void> {
  await sql`update text_scan set through_id = 0, last_error = null, last_error_at = null`.execute(tx);
}
