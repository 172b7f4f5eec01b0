import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';
import type { FileEvent } from './file-event.ts';

export async function insertEvents(tx: Tx, events: readonly FileEvent[], now: Instant): Promise<void> {
  if (events.length === 0) return;
  // Written out: every change of a drive asks it.
  const rows = events.map(
    ({ ownerId, eventType, entryId, fromPath, toPath, clientId, payload }) =>
      sql`(${ownerId}, ${eventType}, ${entryId}, ${fromPath}, ${toPath}, ${clientId}, ${JSON.stringify(payload)}, ${now})`,
  );
  await sql`
    insert into event (owner_id, event_type, entry_id, from_path, to_path, client_id, payload, created_at)
    values ${sql.join(rows)}`.execute(tx);
}

export async function deleteEventsBefore(tx: Tx, instant: Instant): Promise<void> {
  await tx.deleteFrom('event').where('created_at', '<', instant).execute();
}
