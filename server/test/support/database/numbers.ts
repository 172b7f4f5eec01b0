import { sql } from 'kysely';
import type { Db, Tx } from '../../../src/database/database.ts';

// Named numbers for tests of the database itself, stored in the table of leases.

export async function put(db: Db, name: string, value: number): Promise<void> {
  await db.insertInto('lease').values({ name, holder: 'test', expires_at: value }).execute();
}

export async function addOne(tx: Tx, name: string): Promise<void> {
  await tx
    .insertInto('lease')
    .values({ name, holder: 'test', expires_at: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ expires_at: sql`lease.expires_at + 1` }))
    .execute();
}

export async function find(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('lease').select('expires_at').where('name', '=', name).executeTakeFirst();
  return row?.expires_at;
}
