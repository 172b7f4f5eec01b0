import { Audit, type AuditEntry } from '../audit/audit.ts';
import { systemClock } from '../base/clock.ts';
import type { Tx } from '../database/database.ts';

/** The actor of the command line, which has no account. No username contains a blank. */
const ACTOR = { accountId: null, username: 'command line' };

/** Records an action of the command line in the audit log, in the transaction of the action. */
export function recordAudit(
  tx: Tx,
  action: Omit<AuditEntry, 'details'> & Partial<AuditEntry>,
): Promise<void> {
  return new Audit(systemClock).record(tx, ACTOR, { details: {}, ...action });
}
