import { sql } from 'kysely';
import type { IndexTerm, TextIndex } from '../text-index.ts';

/** Uses the column `blob_text.terms` (`migrations/0001-schema/texts.ts`). */
export const postgresTextIndex: TextIndex = {
  // For a frequent word, the planner would read the terms of all texts of the service.
  lookUps: { most: 10_000, hitsPerLookup: 0 },
  findHits: (terms) => ({
    table: sql`blob_text as hit`,
    blobId: sql`hit.blob_id`,
    condition: sql`hit.terms @@ cast(${toQuery(terms)} as tsquery)`,
  }),
  hasTerms: (blobId, terms) => sql`exists (
    select 1 from blob_text as had
    where had.blob_id = ${blobId} and had.terms @@ cast(${toQuery(terms)} as tsquery)
  )`,
  // The index has no order by id, so it could not be read for a part of the texts only.
  hasTermsAmong: (blobId, terms) => postgresTextIndex.hasTerms(blobId, terms),
  put: ({ blobId, bytes, compressed, onceScore, oftenScore }, terms) => [
    // The terms are one text, because the driver takes long to write an array.
    sql`
      insert into blob_text (blob_id, text_bytes, once_score, often_score, text, terms)
      values (${blobId}, ${bytes}, ${onceScore}, ${oftenScore}, ${compressed},
        array_to_tsvector(string_to_array(cast(${terms.join(' ')} as text), ' ')))
      on conflict (blob_id) do update set text_bytes = excluded.text_bytes, once_score = excluded.once_score,
        often_score = excluded.often_score, text = excluded.text, terms = excluded.terms`,
  ],
  remove: (blobId) => [sql`delete from blob_text where blob_id = ${blobId}`],
  // The engine keeps the index of a column consistent.
  findInconsistentIds: () => sql`select blob_id as id from blob_text where 1 = 0`,
};

function toQuery(terms: readonly IndexTerm[]): string {
  return terms.map((term) => `'${term.replace(/['\\]/g, '$&$&')}'`).join(' & ');
}
