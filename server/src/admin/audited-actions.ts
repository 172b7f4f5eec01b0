import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';

/** A change, and the audit entry about it; no entry if nothing changed. */
export type AuditedWork<T> = (
  tx: Tx,
) => Promise<{ readonly result: T; readonly entry: AuditEntry | undefined }>;

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
   * @param options.isLong whether the work may change thousands of rows, as for `Database.transactBySize`
   */
  perform<T>(caller: Caller, work: AuditedWork<T>, options: { readonly isLong?: boolean } = {}): Promise<T> {
    const { isLong = false } = options;
    return this.#database.transactBySize(
      async () => isLong,
      async (tx) => {
        const { result, entry } = await work(tx);
        if (entry !== undefined) await this.#audit.record(tx, caller, entry);
        return result;
      },
    );
  }
}
