import type { Db, Tx } from '../database/database.ts';
import type { NamesUpkeep } from '../database/names.ts';
import type { IdRange } from './row-check.ts';

export async function findStrays(
  db: Db,
  upkeep: NamesUpkeep,
  { after, through }: IdRange,
): Promise<readonly number[]> {
  const { rows } = await upkeep.findStrays(after, through).execute(db);
  return rows.map(({ id }) => id);
}

export async function mendStray(tx: Tx, upkeep: NamesUpkeep, id: number): Promise<void> {
  for (const statement of upkeep.mend(id)) await statement.execute(tx);
}
