import { sql } from 'kysely';
import type { NameIndex } from '../name-index.ts';

/**
 * PostgreSQL's planner picks the index by itself: the trigram index (if the extension is installed) for a
 * rare text, otherwise the index of the owner's names.
 */
export const postgresNameIndex: NameIndex = {
  contains: (text) => sql`entry.folded_name like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
  findCandidates: () => undefined,
  consistency: undefined,
};
