import { sql } from 'kysely';
import type { NameIndex } from '../name-index.ts';

/**
 * PostgreSQL's planner picks the index by itself: the trigram indexes (if the extension is installed) for a
 * rare text, otherwise the index of the owner's names.
 */
export const postgresNameIndex: NameIndex = {
  contains: (text) => sql`entry.folded_name like ${toPattern(text)}`,
  containsPlain: (text) =>
    sql`(entry.folded_name like ${toPattern(text)} or entry.plain_name like ${toPattern(text)})`,
  findCandidates: () => undefined,
  consistency: undefined,
};

function toPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
