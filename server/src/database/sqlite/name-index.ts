import { sql } from 'kysely';
import type { NameIndex } from '../name-index.ts';

/** More make the answer no shorter, and the query takes longer. */
const MOST_TRIGRAMS = 24;

/**
 * Finds candidates with the full-text table `entry_search`, which knows of each entry the trigrams of its name and
 * nothing else: migration 0006 says how it is kept. What it does not have yet are candidates, all of them.
 */
export const sqliteNameIndex: NameIndex = {
  contains: (text) => sql`instr(entry.folded_name, ${text}) > 0`,
  findCandidates: (text, most) => {
    const trigrams = trigramsOf(text);
    if (trigrams.length === 0) return undefined;
    return sql`
      select id from (
        select rowid as id from entry_search
        where entry_search match ${toExpression(trigrams)} and rowid not in (select entry_id from unindexed_entry)
        union all
        select entry_id from unindexed_entry
      ) limit ${most}`;
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

/** Every three characters in a row, each once. */
function trigramsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const trigrams = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''));
  return [...new Set(trigrams)];
}

function toExpression(trigrams: readonly string[]): string {
  return trigrams
    .slice(0, MOST_TRIGRAMS)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ');
}
