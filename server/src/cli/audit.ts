import { Audit, type AuditEntry } from '../audit/audit.ts';
import { systemClock } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';

/** What stands for the command line, which is nobody's account: no username has a blank. */
const ACTOR = { accountId: null, username: 'command line' };

/** Writes down what the command line did, in the transaction in which it did it. */
export function recordAudit(tx: Tx, act: Omit<AuditEntry, 'details'> & Partial<AuditEntry>): Promise<void> {
  return new Audit(systemClock).record(tx, ACTOR, { details: {}, ...act });
}
