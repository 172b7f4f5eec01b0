import { sql } from 'kysely';
import type { NameIndex } from '../name-index.ts';

/** More trigrams would hardly narrow down the result, and would slow down the query. */
const MAX_TRIGRAMS = 24;

/**
 * Finds candidates with the full-text table `entry_search`, which stores only the trigrams of each entry's
 * names. Triggers keep it up to date (`migrations/0001-schema/search.ts`). Entries that are not indexed yet
 * are all candidates.
 */
export const sqliteNameIndex: NameIndex = {
  contains: (text) => sql`instr(entry.folded_name, ${text}) > 0`,
  // A name without accents has no plain name. Then the second condition is null, which counts as false.
  containsPlain: (text) =>
    sql`(instr(entry.folded_name, ${text}) > 0 or instr(entry.plain_name, ${text}) > 0)`,
  findCandidates: (texts, limit) => {
    const trigrams = [...new Set(texts.flatMap(trigramsOf))];
    if (trigrams.length === 0) return undefined;
    return sql`
      select id from (
        select rowid as id from entry_search
        where entry_search match ${toMatchExpression(trigrams)} and rowid not in (select entry_id from unindexed_entry)
        union all
        select entry_id from unindexed_entry
      ) limit ${limit}`;
  },
  consistency: {
    findInconsistentIds: (after, through) => sql`
      select id from entry where id > ${after} and id <= ${through}
        and id not in (select rowid from entry_search where rowid > ${after} and rowid <= ${through})
        and id not in (select entry_id from unindexed_entry)
      union all
      select rowid as id from entry_search where rowid > ${after} and rowid <= ${through}
        and rowid not in (select id from entry where id > ${after} and id <= ${through})`,
    repairId: (id) => [
      sql`delete from entry_search where rowid = ${id}`,
      sql`insert or ignore into unindexed_entry (entry_id) select id from entry where id = ${id}`,
    ],
  },
};

/** All sequences of three characters in the text. */
function trigramsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''));
}

function toMatchExpression(trigrams: readonly string[]): string {
  return trigrams
    .slice(0, MAX_TRIGRAMS)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ');
}
