import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';

/**
 * Performs changes by administrators, each together with its audit entry in one transaction. Work that opens
 * its own transaction records the entry itself.
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
      if (entry !== undefined) await this.#audit.record(tx, caller, entry);
      return result;
    });
  }
}
