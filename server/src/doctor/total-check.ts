import type { Database, Db } from '../database/database.ts';
import type { AlsoDo, Check, Fault, Progress } from './check.ts';
import { findTotals, holdTotals, putTotals } from './total-queries.ts';

/** How much is stored is kept in one row, which agrees with the blobs that it counts. */
export class TotalCheck implements Check {
  readonly looksAt = 'totals';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *find(): AsyncGenerator<Progress> {
    const fault = await look(this.#database.db);
    yield { looked: 1, faults: fault === undefined ? [] : [fault] };
  }

  lookAgain(): Promise<Fault | undefined> {
    return look(this.#database.db);
  }

  isMendable(): boolean {
    return true;
  }

  mend(_fault: Fault, alsoDo: AlsoDo): Promise<boolean> {
    return this.#database.transact(async (tx) => {
      await holdTotals(tx);
      const standing = await look(tx);
      if (standing === undefined) return false;
      await putTotals(tx);
      await alsoDo(tx, standing);
      return true;
    });
  }
}

async function look(db: Db): Promise<Fault | undefined> {
  const totals = await findTotals(db);
  if (totals === undefined) return undefined;
  const { objects, bytes, kept_objects: keptObjects, kept_bytes: keptBytes } = totals;
  if (objects === keptObjects && bytes === keptBytes) return undefined;
  return {
    rule: 'stored-total',
    subject: 'blob_total',
    id: 'all',
    sentence: `There are ${objects} objects of ${bytes} bytes, and the total says ${keptObjects} of ${keptBytes}.`,
  };
}
