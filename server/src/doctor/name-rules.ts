import type { NameIndexConsistency } from '../database/name-index.ts';
import { findStrays, mendStray } from './name-queries.ts';
import type { RowRules } from './row-check.ts';

/** Search finds every entry by its name: the index has all of them, and no others. */
export function nameRules(consistency: NameIndexConsistency): RowRules {
  return {
    looksAt: 'names in the index of search',
    table: 'entry',
    look: async (db, range) =>
      (await findStrays(db, consistency, range)).map((id) => ({
        rule: 'search-index',
        subject: 'entry',
        id,
        sentence: `Entry ${id} is not as the index of search knows it.`,
      })),
    mends: { 'search-index': (tx, id) => mendStray(tx, consistency, id) },
  };
}
