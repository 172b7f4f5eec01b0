import type { Db, Tx } from '../database/database.ts';
import type { NameIndexConsistency } from '../database/name-index.ts';
import type { IdRange } from './row-check.ts';

export async function findStrays(
  db: Db,
  consistency: NameIndexConsistency,
  { after, through }: IdRange,
): Promise<readonly number[]> {
  const { rows } = await consistency.findInconsistentIds(after, through).execute(db);
  return rows.map(({ id }) => id);
}

export async function mendStray(tx: Tx, consistency: NameIndexConsistency, id: number): Promise<void> {
  for (const statement of consistency.repairId(id)) await statement.execute(tx);
}
