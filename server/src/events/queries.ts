import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { CompiledOnce, type ParameterOf } from '../database/compiled-once.ts';
import type { Db, Tx } from '../database/database.ts';
import type { EventActor, FileEvent, StoredEvent } from './file-event.ts';

/** Inserts events of one drive and one actor. Returns the greatest id. */
export async function insertEvents(tx: Tx, events: readonly FileEvent[], now: Instant): Promise<number> {
  const [first] = events;
  if (first === undefined) throw new Error('There are no events.');
  const values = { ...first, sender: toSender(first), json: JSON.stringify(first.payload), now };
  if (events.length === 1) {
    const inserted = await INSERT_EVENT.findFirst(tx, values);
    if (inserted === undefined) throw new Error('The inserted event has no id.');
    return inserted.id;
  }
  const actor = await ACTOR.findFirst(tx, values);
  const rows = events.map(
    ({ driveId, eventType, entryId, fromPath, toPath, clientId, readerId, payload }) =>
      sql`(${driveId}, ${eventType}, ${entryId}, ${fromPath}, ${toPath}, ${clientId}, ${JSON.stringify(payload)},
        ${now}, ${actor?.actorId ?? null}, ${actor?.actorName ?? null}, ${readerId})`,
  );
  const { rows: inserted } = await sql<{ id: number }>`
    insert into event (${INSERTED_COLUMNS})
    values ${sql.join(rows)} returning id`.execute(tx);
  return Math.max(...inserted.map(({ id }) => id));
}

/** The name that a visitor gave, or `''`; null for anyone else. */
function toSender({ payload: { sender } }: FileEvent): string | null {
  return sender === undefined ? null : (sender ?? '');
}

const INSERTED_COLUMNS = sql.raw(
  `drive_id, event_type, entry_id, from_path, to_path, client_id, payload, created_at,
    actor_id, actor_name, reader_id`,
);

type EventValues = FileEvent & {
  readonly sender: string | null;
  readonly json: string;
  readonly now: Instant;
};

/**
 * The actor's columns of an event, selected from its drive. Both are null in a personal drive, whose events
 * then read no account. (Two subqueries instead of this select made the insertion three times slower.)
 */
const toActorColumns = (value: ParameterOf<EventValues>) => sql`
  case when drive.kind = 'SHARED' then cast(${value('actorId')} as bigint) end as "actorId",
  case when drive.kind = 'SHARED' then coalesce(
    (select display_name from account where id = cast(${value('actorId')} as bigint)),
    cast(${value('sender')} as text)) end as "actorName"`;

const ACTOR = new CompiledOnce<EventValues, EventActor>((db, value) =>
  sql<EventActor>`select ${toActorColumns(value)} from drive where id = ${value('driveId')}`.compile(db),
);

/** Most changes to a drive record a single event. */
const INSERT_EVENT = new CompiledOnce<EventValues, { id: number }>((db, value) =>
  sql<{ id: number }>`
    insert into event (${INSERTED_COLUMNS})
    select drive.id, ${value('eventType')}, cast(${value('entryId')} as bigint), ${value('fromPath')},
      ${value('toPath')}, ${value('clientId')}, ${value('json')}, cast(${value('now')} as bigint),
      ${toActorColumns(value)}, cast(${value('readerId')} as bigint)
    from drive where drive.id = ${value('driveId')} returning id`.compile(db),
);

/** A visitor who gave no name has `''` in the row. */
const ACTOR_NAME = sql<string | null>`nullif(actor_name, '')`;

/** The columns of a `PastEvent`. */
export const PAST_EVENT_COLUMNS = [
  'id',
  'event_type as eventType',
  'entry_id as entryId',
  'from_path as fromPath',
  'to_path as toPath',
  'created_at as createdAt',
  'actor_id as actorId',
  ACTOR_NAME.as('actorName'),
] as const;

/** The drive's events after an id, in order. */
export async function findEventsAfter(
  db: Db,
  driveId: number,
  afterId: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  return db
    .selectFrom('event')
    .select([...PAST_EVENT_COLUMNS, 'client_id as clientId', 'payload', 'reader_id as readerId'])
    .where('drive_id', '=', driveId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The oldest id of all drives' events, and the newest of this drive's; null if there is none. */
export async function findEventBounds(
  db: Db,
  driveId: number,
): Promise<{ readonly oldest: number | null; readonly newest: number | null }> {
  const row = await db
    .selectNoFrom((select) => [
      select.selectFrom('event').select(sql<number>`min(id)`.as('id')).as('oldest'),
      select
        .selectFrom('event')
        .select(sql<number>`max(id)`.as('id'))
        .where('drive_id', '=', driveId)
        .as('newest'),
    ])
    .executeTakeFirstOrThrow();
  return row;
}

/** The readers of the drive's first events after an id. */
export async function findReadersAfter(
  tx: Tx,
  driveId: number,
  afterId: number,
  limit: number,
): Promise<readonly (number | null)[]> {
  const rows = await tx
    .selectFrom('event')
    .select('reader_id')
    .where('drive_id', '=', driveId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.reader_id);
}

/** The newest event id of each drive; drives without events are left out. */
export async function findNewestEvents(
  db: Db,
  driveIds: readonly number[],
): Promise<readonly { readonly driveId: number; readonly id: number }[]> {
  // Uses one subquery per drive: with `group by`, the database would read all of their events.
  const rows = await db
    .selectFrom('drive')
    .select((select) => [
      'drive.id as driveId',
      select
        .selectFrom('event')
        .select(sql<number>`max(id)`.as('id'))
        .whereRef('event.drive_id', '=', 'drive.id')
        .as('id'),
    ])
    .where('drive.id', 'in', driveIds)
    .execute();
  return rows.flatMap(({ driveId, id }) => (id === null ? [] : [{ driveId, id }]));
}

/** The oldest events of all drives. */
export async function findOldestEvents(
  tx: Tx,
  limit: number,
): Promise<readonly { readonly id: number; readonly createdAt: Instant }[]> {
  return (
    tx
      .selectFrom('event')
      .select(['id', 'created_at as createdAt'])
      // True for all events. It makes SQLite search by the primary key, so the query plan shows an index
      // search.
      .where('id', '>', 0)
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}

export async function deleteEventsUpTo(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('event').where('id', '<=', id).execute();
}
