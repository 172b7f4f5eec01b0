import type { Instant } from '../../base/clock.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

/** @param starredAt null removes the star */
export async function setStar(tx: Tx, id: number, starredAt: Instant | null): Promise<void> {
  await tx.updateTable('entry').set({ starred_at: starredAt }).where('id', '=', id).execute();
}

/** The newest stars first. */
export async function findStarredPage(
  db: Db,
  driveId: number,
  page: PageRequest,
): Promise<{ readonly entries: readonly Entry[]; readonly total: number }> {
  const starred = db
    .selectFrom('entry')
    .where('drive_id', '=', driveId)
    .where('starred_at', 'is not', null)
    .where('deleted_at', 'is', null);
  const { total } = await starred
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await starred
    .select(ENTRY_COLUMNS)
    .orderBy('starred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { entries: rows.map(toEntry), total };
}
