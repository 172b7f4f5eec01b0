import type { Database } from '../../../src/database/database.ts';

/**
 * Treats every second change as a long one, whatever its size. On SQLite, small trees are then also changed
 * on the database thread, between transactions that are not.
 */
export function treatHalfAsLong(database: Database): void {
  const transactBySize = database.transactBySize.bind(database);
  let count = 0;
  database.transactBySize = (isLong, work) => {
    count += 1;
    return transactBySize(count % 2 === 0 ? async () => true : isLong, work);
  };
}
