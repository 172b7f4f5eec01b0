import type { NameIndexConsistency } from '../database/name-index.ts';
import type { RowRules } from './row-check.ts';

/** The search index of names contains every entry under its current name, and nothing else. */
export function nameIndexRules(consistency: NameIndexConsistency): RowRules {
  return {
    label: 'names in the search index',
    table: 'entry',
    findFaults: async (db, { after, through }) => {
      const { rows } = await consistency.findInconsistentIds(after, through).execute(db);
      return rows.map(({ id }) => ({
        rule: 'search-index',
        subject: 'entry',
        id,
        sentence: `Entry ${id} and its record in the search index differ.`,
      }));
    },
    repairs: {
      'search-index': async (tx, id) => {
        for (const statement of consistency.repairId(id)) await statement.execute(tx);
      },
    },
  };
}
