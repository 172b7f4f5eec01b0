import { sql } from 'kysely';
import type { Names } from '../names.ts';

/** The planner takes the index of trigrams where it is there and the text is rare, and the index of the owner's names otherwise. */
export const postgresNames: Names = {
  contains: (text) => sql`entry.folded_name like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
  findCandidates: () => undefined,
  upkeep: undefined,
};
