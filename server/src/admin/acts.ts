import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';

/** The one way in which admins change something: with an audit entry in the same transaction. */
export class Acts {
  readonly #database: Database;
  readonly #audit: Audit;

  constructor(database: Database, audit: Audit) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Does the work and writes down what it says was done; without an entry nothing was. When it throws, nothing was done and
   * nothing is written.
   */
  perform<T>(
    caller: Caller,
    work: (tx: Tx) => Promise<{ readonly result: T; readonly entry: AuditEntry | undefined }>,
  ): Promise<T> {
    return this.#database.transact(async (tx) => {
      const { result, entry } = await work(tx);
      if (entry !== undefined) await this.record(tx, caller, entry);
      return result;
    });
  }

  /** For work that has a transaction of its own. */
  record(tx: Tx, caller: Caller, entry: AuditEntry): Promise<void> {
    return this.#audit.record(tx, caller, entry);
  }
}
