import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';

/**
 * The only way in which administrators change something: together with an audit entry, in one transaction.
 */
export class AuditedActions {
  readonly #database: Database;
  readonly #audit: Audit;

  constructor(database: Database, audit: Audit) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Runs the work in a transaction and records the audit entry that it returns. The work returns no entry if
   * it changed nothing. If it throws, neither the change nor an entry is stored.
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

  /** Records an entry in the transaction of the caller, for work that opens its own transaction. */
  record(tx: Tx, caller: Caller, entry: AuditEntry): Promise<void> {
    return this.#audit.record(tx, caller, entry);
  }
}
