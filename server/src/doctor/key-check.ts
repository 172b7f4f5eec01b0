import type { Database, Db, Tx } from '../database/database.ts';
import { type Check, type CheckProgress, type Fault, isSameFault, type OnRepair } from './check.ts';
import type { KeyPage } from './queries.ts';

const PAGE_KEYS = 500;

/** A rule that one SQL statement can check for a page of rows, which a key identifies. */
export interface KeyRule {
  readonly rule: string;
  readonly table: string;
  /** The keys, as text, of the rows that break the rule. */
  readonly findKeys: (db: Db, page: KeyPage) => Promise<readonly string[]>;
  readonly describe: (key: string) => string;
  /** Missing if no repair is safe. */
  readonly repair?: {
    /** Locks the row and everything that it is compared with, until the transaction ends. */
    readonly lock: (tx: Tx, key: string) => Promise<void>;
    readonly run: (tx: Tx, key: string) => Promise<void>;
  };
}

/** Checks rules one after the other. The unit of its progress is a rule. */
export class KeyCheck implements Check {
  readonly label: string;
  readonly #database: Database;
  readonly #rules: readonly KeyRule[];

  constructor(database: Database, label: string, rules: readonly KeyRule[]) {
    this.label = label;
    this.#database = database;
    this.#rules = rules;
  }

  async *findFaults(signal: AbortSignal): AsyncGenerator<CheckProgress> {
    for (const rule of this.#rules) {
      let after = '';
      for (let hasMore = true; hasMore; ) {
        signal.throwIfAborted();
        const keys = await rule.findKeys(this.#database.db, { after, limit: PAGE_KEYS });
        // A rule counts as checked with its first page.
        yield { checked: after === '' ? 1 : 0, faults: keys.map((key) => toFault(rule, key)) };
        after = keys.at(-1) ?? after;
        hasMore = keys.length === PAGE_KEYS;
      }
    }
  }

  recheck(fault: Fault): Promise<Fault | undefined> {
    return this.#recheckIn(this.#database.db, fault);
  }

  async repair(fault: Fault, onRepair: OnRepair): Promise<boolean> {
    const repair = this.#ruleOf(fault)?.repair;
    if (repair === undefined) return false;
    const key = String(fault.id);
    return this.#database.transact(async (tx) => {
      await repair.lock(tx, key);
      const current = await this.#recheckIn(tx, fault);
      if (current === undefined) return false;
      await repair.run(tx, key);
      await onRepair(tx, current);
      return true;
    });
  }

  async #recheckIn(db: Db, fault: Fault): Promise<Fault | undefined> {
    const only = String(fault.id);
    const [current] = (await this.#ruleOf(fault)?.findKeys(db, { only })) ?? [];
    return current === undefined ? undefined : fault;
  }

  #ruleOf(fault: Fault): KeyRule | undefined {
    return this.#rules.find((rule) => isSameFault(toFault(rule, String(fault.id)), fault));
  }
}

function toFault({ rule, table, describe }: KeyRule, key: string): Fault {
  return { rule, subject: table, id: key, sentence: describe(key) };
}
