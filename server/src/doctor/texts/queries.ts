import { sql } from 'kysely';
import { HAS_TEXT } from '../../content-search/content-search.ts';
import type { Db } from '../../database/database.ts';
import type { IdRange } from '../row-check.ts';

/** Files that the search in content has passed over, and lost texts. Younger files are still found. */
export async function findMissingTexts(db: Db, { after, through }: IdRange): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select blob.id from blob left join text_queue on text_queue.blob_id = blob.id
    where blob.id > ${after} and blob.id <= ${through}
      and (
        text_queue.blob_id is null
          and blob.id <= (select through_id from text_scan) and ${HAS_TEXT}
        or text_queue.state = 'INDEXED'
          and not exists (select 1 from blob_text where blob_text.blob_id = blob.id)
      )
    order by blob.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Texts of blobs that have none. */
export async function findSurplusTexts(db: Db, { after, through }: IdRange): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select blob_text.blob_id as id
    from blob_text left join text_queue on text_queue.blob_id = blob_text.blob_id
    where blob_text.blob_id > ${after} and blob_text.blob_id <= ${through}
      and (text_queue.blob_id is null or text_queue.state = 'WITHOUT_TEXT')
    order by blob_text.blob_id`.execute(db);
  return rows.map(({ id }) => id);
}
