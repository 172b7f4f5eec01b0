import type { Instant } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';
import type { FileEvent } from './file-event.ts';

export async function insertEvents(tx: Tx, events: readonly FileEvent[], now: Instant): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('event')
    .values(
      events.map((event) => ({
        owner_id: event.ownerId,
        event_type: event.eventType,
        entry_id: event.entryId,
        from_path: event.fromPath,
        to_path: event.toPath,
        client_id: event.clientId,
        payload: JSON.stringify(event.payload),
        created_at: now,
      })),
    )
    .execute();
}

export async function deleteEventsBefore(tx: Tx, instant: Instant): Promise<void> {
  await tx.deleteFrom('event').where('created_at', '<', instant).execute();
}
