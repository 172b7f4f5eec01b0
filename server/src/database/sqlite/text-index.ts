import { type RawBuilder, sql } from 'kysely';
import type { IndexTerm, TextIndex } from '../text-index.ts';

/** No more texts are looked up one by one, because a rare word has few hits in any range. */
const MAX_LOOKUPS = 500;

/** Uses the full-text table `text_index` (`migrations/0001-schema/texts.ts`). Its row id is the blob's id. */
export const sqliteTextIndex: TextIndex = {
  // A look-up takes 70 µs, or 320 µs for a frequent word. Reading the index takes 0.3 µs for each text of the
  // whole service that has the word.
  lookUps: { most: 200, hitsPerLookup: 200 },
  findHits: (terms) => ({
    table: sql`text_index as hit`,
    blobId: sql`hit.rowid`,
    condition: sql`hit.text_index match ${toMatchExpression(terms)}`,
  }),
  // If the id is null, FTS5 ignores the condition. No row has the id 0.
  hasTerms: (blobId, terms) => sql`exists (
    select 1 from text_index as had
    where had.text_index match ${toMatchExpression(terms)} and had.rowid = coalesce(${blobId}, 0)
  )`,
  // The range of ids is the maximum number of hits that are read.
  hasTermsAmong: (blobId, terms, { table, hitsPerLookup }) => sql`
    case when (
        select count(*) <= ${sql.lit(MAX_LOOKUPS)}
          and count(*) * ${sql.lit(hitsPerLookup)} <= max(blob_id) - min(blob_id)
        from ${table}
      )
      then ${sqliteTextIndex.hasTerms(blobId, terms)}
      else ${blobId} in (
        select hit.rowid from text_index as hit
        where hit.text_index match ${toMatchExpression(terms)}
          and hit.rowid >= (select min(blob_id) from ${table})
          and hit.rowid <= (select max(blob_id) from ${table})
      )
    end`,
  put: ({ blobId, bytes, compressed, onceScore, oftenScore }, terms) => [
    sql`
      insert into blob_text (blob_id, text_bytes, once_score, often_score, text)
      values (${blobId}, ${bytes}, ${onceScore}, ${oftenScore}, ${compressed})
      on conflict (blob_id) do update set text_bytes = excluded.text_bytes, once_score = excluded.once_score,
        often_score = excluded.often_score, text = excluded.text`,
    // A text that is taken again is still in the index.
    removeRecord(blobId),
    sql`insert into text_index (rowid, terms) values (${blobId}, ${terms.join(' ')})`,
  ],
  remove: (blobId) => [sql`delete from blob_text where blob_id = ${blobId}`, removeRecord(blobId)],
  findInconsistentIds: (after, through) => sql`
    select blob_id as id from blob_text
    where blob_id > ${after} and blob_id <= ${through}
      and blob_id not in (select rowid from text_index where rowid > ${after} and rowid <= ${through})
    union all
    select rowid as id from text_index where rowid > ${after} and rowid <= ${through}
      and rowid not in (
        select blob_id from blob_text where blob_id > ${after} and blob_id <= ${through}
      )`,
};

function removeRecord(blobId: number): RawBuilder<unknown> {
  return sql`delete from text_index where rowid = ${blobId}`;
}

function toMatchExpression(terms: readonly IndexTerm[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND ');
}
