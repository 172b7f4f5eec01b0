import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import type { UploadPartTable } from '../../database/tables/uploads.ts';

export async function putPart(tx: Tx, part: UploadPartTable): Promise<void> {
  await tx
    .insertInto('upload_part')
    .values(part)
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'part_index']).doUpdateSet({ etag: part.etag, size: part.size }),
    )
    .execute();
}

export async function findParts(
  db: Db,
  sessionId: string,
): Promise<readonly { index: number; etag: string; size: number }[]> {
  return db
    .selectFrom('upload_part')
    .select(['part_index as index', 'etag', 'size'])
    .where('session_id', '=', sessionId)
    .orderBy('part_index')
    .execute();
}

export async function sumParts(db: Db, sessionId: string): Promise<{ bytes: number; count: number }> {
  return db
    .selectFrom('upload_part')
    .select([
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      (select) => select.fn.countAll<number>().as('count'),
    ])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
}

export async function deleteParts(tx: Tx, sessionId: string): Promise<void> {
  await tx.deleteFrom('upload_part').where('session_id', '=', sessionId).execute();
}
