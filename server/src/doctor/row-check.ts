import type { Database, Db, Tx } from '../database/database.ts';
import { type AlsoDo, type Check, type Fault, isSameFault, type Progress } from './check.ts';
import { findEndOfPage, type NumberedTable } from './page-queries.ts';

const PAGE = 1_000;

/** The rows behind `after`, up to and with `through`. */
export interface IdRange {
  readonly after: number;
  readonly through: number;
}

/** Rules that one statement can check for a range of rows, as they are at one moment. */
export interface RowRules {
  readonly looksAt: string;
  readonly table: NumberedTable;
  /** A query of its own, so what is under way elsewhere is there wholly or not at all. */
  look(db: Db, range: IdRange): Promise<readonly Fault[]>;
  /** Keeps the row and all that it is compared with from changing until the transaction ends. */
  hold?(tx: Tx, id: number): Promise<void>;
  /** By rule, what puts it right. */
  readonly mends?: Readonly<Record<string, (tx: Tx, id: number) => Promise<void>>>;
}

/** Goes through a table by ranges of ids. */
export class RowCheck implements Check {
  readonly looksAt: string;
  readonly #database: Database;
  readonly #rules: RowRules;

  constructor(database: Database, rules: RowRules) {
    this.looksAt = rules.looksAt;
    this.#database = database;
    this.#rules = rules;
  }

  async *find(signal: AbortSignal): AsyncGenerator<Progress> {
    const { db } = this.#database;
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const page = await findEndOfPage(db, this.#rules.table, after, PAGE);
      if (page === undefined) return;
      yield { looked: page.rows, faults: await this.#rules.look(db, { after, through: page.lastId }) };
      after = page.lastId;
    }
  }

  lookAgain(fault: Fault): Promise<Fault | undefined> {
    return this.#look(this.#database.db, fault);
  }

  isMendable({ rule }: Fault): boolean {
    return this.#rules.mends?.[rule] !== undefined;
  }

  async mend(fault: Fault, alsoDo: AlsoDo): Promise<boolean> {
    const mend = this.#rules.mends?.[fault.rule];
    if (mend === undefined) return false;
    const id = Number(fault.id);
    return this.#database.transact(async (tx) => {
      await this.#rules.hold?.(tx, id);
      const standing = await this.#look(tx, fault);
      if (standing === undefined) return false;
      await mend(tx, id);
      await alsoDo(tx, standing);
      return true;
    });
  }

  async #look(db: Db, fault: Fault): Promise<Fault | undefined> {
    const id = Number(fault.id);
    const faults = await this.#rules.look(db, { after: id - 1, through: id });
    return faults.find((each) => isSameFault(each, fault));
  }
}
