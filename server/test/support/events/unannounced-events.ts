import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

/**
 * Records events without a message to subscribers, as when an instance crashes between the commit and the
 * message. Returns the id of the last event.
 */
export async function recordUnannounced(
  { app, clock }: Holdall,
  owner: Person,
  paths: readonly string[],
): Promise<number> {
  return await app.database.transact(async (tx) => {
    let last = 0;
    // In batches, because the number of parameters of a statement is limited.
    for (let from = 0; from < paths.length; from += 500) {
      const values = paths.slice(from, from + 500).map((path) => ({
        drive_id: owner.driveId,
        event_type: 'CREATED',
        entry_id: 1,
        from_path: null,
        to_path: path,
        client_id: null,
        payload: JSON.stringify({ filename: 'x', path, directory: true, size: 0, contentType: null }),
        created_at: clock.now(),
      }));
      const inserted = await tx.insertInto('event').values(values).returning('id').execute();
      last = Math.max(last, ...inserted.map(({ id }) => id));
    }
    return last;
  });
}

export function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
