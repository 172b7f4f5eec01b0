import type { Database, Db } from '../../database/database.ts';
import type { Check, CheckProgress, Fault, OnRepair } from '../check.ts';
import { findTotals, lockTotals, recountTotals } from './queries.ts';

/**
 * Compares the recorded number and size of all stored objects, which one row holds, with the actual blobs.
 */
export class TotalCheck implements Check {
  readonly label = 'totals';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *findFaults(): AsyncGenerator<CheckProgress> {
    const fault = await findFault(this.#database.db);
    yield { checked: 1, faults: fault === undefined ? [] : [fault] };
  }

  recheck(): Promise<Fault | undefined> {
    return findFault(this.#database.db);
  }

  repair(_fault: Fault, onRepair: OnRepair): Promise<boolean> {
    return this.#database.transact(async (tx) => {
      await lockTotals(tx);
      const current = await findFault(tx);
      if (current === undefined) return false;
      await recountTotals(tx);
      await onRepair(tx, current);
      return true;
    });
  }
}

async function findFault(db: Db): Promise<Fault | undefined> {
  const totals = await findTotals(db);
  if (totals === undefined) return undefined;
  const { objects, bytes, recordedObjects, recordedBytes } = totals;
  if (objects === recordedObjects && bytes === recordedBytes) return undefined;
  return {
    rule: 'stored-total',
    subject: 'blob_total',
    id: 'all',
    sentence: `There are ${objects} objects of ${bytes} bytes, but the recorded total is ${recordedObjects} of ${recordedBytes}.`,
  };
}
