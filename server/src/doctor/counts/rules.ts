import type { KeyRule } from '../key-check.ts';
import { COUNTS, findMiscounted, lockCounted, recount } from './queries.ts';

/** Counted and copied columns have the value that follows from what they count or copy. */
export const countRules: readonly KeyRule[] = COUNTS.map((count) => {
  const { table, column, isRepairable } = count;
  const rule: KeyRule = {
    rule: `${table}-${column}`.replaceAll('_', '-').replace('owner-id', 'owner'),
    table,
    findKeys: (db, page) => findMiscounted(db, count, page),
    describe: (key) => `The ${column} of ${table} ${key} is not what the rest of the database says.`,
  };
  if (!isRepairable) return rule;
  return {
    ...rule,
    repair: {
      lock: (tx, key) => lockCounted(tx, count, key),
      run: (tx, key) => recount(tx, count, key),
    },
  };
});
