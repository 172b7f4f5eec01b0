import type { Database, Db, Tx } from '../database/database.ts';
import { type Check, type CheckProgress, type Fault, isSameFault, type OnRepair } from './check.ts';
import { findPageAfter, type NumberedTable } from './queries.ts';

const PAGE_ROWS = 1_000;

/** The rows with `after < id <= through`. */
export interface IdRange {
  readonly after: number;
  readonly through: number;
}

/**
 * Rules that one SQL statement can check for a range of rows, so that it compares values from a single
 * moment.
 */
export interface RowRules {
  readonly label: string;
  readonly table: NumberedTable;
  /**
   * Runs one query outside any transaction, so it sees every concurrent transaction either wholly or not at
   * all.
   */
  findFaults(db: Db, range: IdRange): Promise<readonly Fault[]>;
  /** Locks the row and everything that it is compared with, until the transaction ends. */
  lock?(tx: Tx, id: number): Promise<void>;
  /** The repair of each rule that has one. */
  readonly repairs?: Readonly<Record<string, (tx: Tx, id: number) => Promise<void>>>;
}

/** Checks a table against its rules, page by page. */
export class RowCheck implements Check {
  readonly label: string;
  readonly #database: Database;
  readonly #rules: RowRules;

  constructor(database: Database, rules: RowRules) {
    this.label = rules.label;
    this.#database = database;
    this.#rules = rules;
  }

  async *findFaults(signal: AbortSignal): AsyncGenerator<CheckProgress> {
    const { db } = this.#database;
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const page = await findPageAfter(db, this.#rules.table, after, PAGE_ROWS);
      if (page === undefined) return;
      const faults = await this.#rules.findFaults(db, { after, through: page.lastId });
      yield { checked: page.rows, faults };
      after = page.lastId;
    }
  }

  recheck(fault: Fault): Promise<Fault | undefined> {
    return this.#recheckIn(this.#database.db, fault);
  }

  async repair(fault: Fault, onRepair: OnRepair): Promise<boolean> {
    const repair = this.#rules.repairs?.[fault.rule];
    if (repair === undefined) return false;
    const id = Number(fault.id);
    return this.#database.transact(async (tx) => {
      await this.#rules.lock?.(tx, id);
      const current = await this.#recheckIn(tx, fault);
      if (current === undefined) return false;
      await repair(tx, id);
      await onRepair(tx, current);
      return true;
    });
  }

  async #recheckIn(db: Db, fault: Fault): Promise<Fault | undefined> {
    const id = Number(fault.id);
    const faults = await this.#rules.findFaults(db, { after: id - 1, through: id });
    return faults.find((each) => isSameFault(each, fault));
  }
}
