import { sql } from 'kysely';
import type { NameIndex } from '../name-index.ts';

/** The planner takes the index of trigrams where it is there and the text is rare, and the index of the owner's names otherwise. */
export const postgresNameIndex: NameIndex = {
  contains: (text) => sql`entry.folded_name like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
  findCandidates: () => undefined,
  consistency: undefined,
};
