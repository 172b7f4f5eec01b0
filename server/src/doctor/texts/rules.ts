import { queueAgain } from '../../content-search/content-search.ts';
import type { Database, Tx } from '../../database/database.ts';
import { lockBlob } from '../blobs/queries.ts';
import type { RowRules } from '../row-check.ts';
import { findMissingTexts, findSurplusTexts } from './queries.ts';

/** Its time has come long ago. */
const LONG_AGO = 0;

/**
 * Every file must be known to the search in content, and every text must be in its index. A repair makes the
 * service take the text again.
 */
export function textRules({ engine: { textIndex } }: Database): RowRules {
  const takeAgain = (tx: Tx, id: number) => queueAgain(tx, id, LONG_AGO);
  return {
    label: 'texts in the search index',
    table: 'blob',
    findFaults: async (db, range) => {
      const missing = await findMissingTexts(db, range);
      const surplus = await findSurplusTexts(db, range);
      const { rows } = await textIndex.findInconsistentIds(range.after, range.through).execute(db);
      const inconsistent = new Set([...surplus, ...rows.map(({ id }) => id)]);
      return [
        ...missing.map((id) => ({
          ...{ rule: 'text-missing', subject: 'blob', id },
          sentence: `The text of blob ${id} was never taken for the search in content, or was lost.`,
        })),
        ...[...inconsistent].map((id) => ({
          ...{ rule: 'text-index', subject: 'blob', id },
          sentence: `The text of blob ${id} and its record in the search index differ.`,
        })),
      ];
    },
    lock: lockBlob,
    repairs: {
      'text-missing': takeAgain,
      'text-index': async (tx, id) => {
        for (const statement of textIndex.remove(id)) await statement.execute(tx);
        await takeAgain(tx, id);
      },
    },
  };
}
