import type { Clock } from '../base/clock.ts';
import type { Page, PageRequest } from '../base/page.ts';
import { foldName } from '../base/text/names/file-name.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { AuditAction, AuditTargetType } from './contract.ts';
import {
  type AuditedChange,
  type AuditFilter,
  type AuditRecord,
  clearActorId,
  findAudits,
  findChangesOf,
  insertAudit,
} from './queries.ts';

export { type AuditAction, OWNER_ACTIONS } from './contract.ts';
export type { AuditedChange, AuditFilter, AuditRecord } from './queries.ts';

/** An audited action. Never contains a password, a code or a token. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly targetType: AuditTargetType;
  readonly targetId: number | string | null;
  /** The name of the target, for people. */
  readonly target: string;
  /** One sentence. */
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Who performs the action: an account, or the command line, which has no account id. */
interface AuditActor {
  readonly accountId: number | null;
  readonly username: string;
}

/**
 * The log of the actions of admins and of the command line, of what people change about their own logins, and
 * of the shared drives that they create. Entries are never deleted.
 */
export class Audit {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Records an action in the transaction that performs it, so that the log has an entry exactly if the action
   * was done.
   */
  record(tx: Tx, { accountId, username }: AuditActor, entry: AuditEntry): Promise<void> {
    const { action, targetType, targetId, target, summary, details } = entry;
    return insertAudit(tx, {
      actor_id: accountId,
      actor: username,
      folded_actor: foldName(username),
      action,
      target_type: targetType,
      target_id: targetId === null ? null : String(targetId),
      target,
      summary,
      details: JSON.stringify(details),
      created_at: this.#clock.now(),
    });
  }

  /** Keeps the name of a deleted account in the entries about its actions, but not its id. */
  async removeActor(database: Database, accountId: number): Promise<void> {
    await database.transact((tx) => clearActorId(tx, accountId));
  }

  /** The newest entries with these actions about an account, newest first. @param limit how many */
  listChangesOf<A extends AuditAction>(
    db: Db,
    accountId: number,
    actions: readonly A[],
    limit: number,
  ): Promise<readonly AuditedChange<A>[]> {
    return findChangesOf(db, accountId, actions, limit);
  }

  /** The matching entries, newest first. */
  async list(db: Db, filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    return { ...(await findAudits(db, filter, page)), page: page.page, size: page.size };
  }
}
