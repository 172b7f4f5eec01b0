import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';

export async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Stores the value unless the setting exists; returns the stored value. */
export async function getOrCreateSetting(tx: Tx, name: string, value: string, now: Instant): Promise<string> {
  // The setting nearly always exists, and then nothing has to be written.
  const found = await findSetting(tx, name);
  if (found !== undefined) return found;
  await tx
    .insertInto('setting')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(tx, name)) ?? value;
}

export async function putSetting(tx: Tx, name: string, value: string, now: Instant): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
}

export async function deleteSetting(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('setting').where('name', '=', name).execute();
}

/** The values of the existing settings among `names`, by name. */
export async function findSettings(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Replaces the value if it is still `expected`. Only one of several concurrent callers succeeds. */
export async function swapSetting(
  tx: Tx,
  { name, expected, value, now }: { name: string; expected: string; value: string; now: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('setting')
    .set({ value, updated_at: now })
    .where('name', '=', name)
    .where('value', '=', expected)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
