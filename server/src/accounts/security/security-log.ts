import { type Audit, type AuditedChange, OWNER_ACTIONS } from '../../audit/audit.ts';
import { type Clock, DAY, SECOND } from '../../base/clock.ts';
import { SECURITY_ACTIONS, type SecurityAction } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Notifications } from '../../notifications/notifications.ts';

type OwnerAction = (typeof OWNER_ACTIONS)[number];

/**
 * Entries are never deleted, so an account must not be able to fill the log. No one needs more changes per
 * day.
 */
const MAX_PER_DAY = 200;

/** The maximum number of changes that an owner sees. */
export const MAX_LISTED_CHANGES = 50;

const SUMMARIES: Readonly<Record<OwnerAction, string>> = {
  SET_UP_TOTP: 'Set up an authenticator app.',
  REMOVE_TOTP: 'Removed the authenticator app.',
  RENEW_RECOVERY_CODES: 'Renewed the recovery codes.',
  ADD_PASSKEY: 'Added a passkey.',
  REMOVE_PASSKEY: 'Removed a passkey.',
  LINK_IDENTITY: 'Linked an identity of single sign-on.',
  UNLINK_IDENTITY: 'Unlinked an identity of single sign-on.',
  CHANGE_PASSWORD: 'Changed the password.',
  RESET_PASSWORD: 'Set a new password with a mailed link.',
  CREATE_APP_PASSWORD: 'Created an app password.',
  DELETE_APP_PASSWORD: 'Deleted an app password.',
};

interface SecurityLogParts {
  readonly database: Database;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly notifications: Notifications;
}

/** Where a change comes from, as far as it is known. */
interface ChangeOrigin {
  readonly address: string;
  readonly userAgent?: string | null;
}

interface ChangeContext {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly origin?: ChangeOrigin;
}

/**
 * Records in the audit log how people change the ways to log in to their own accounts. Owners and admins can
 * read it, and owners are told, so someone who takes over an account leaves traces.
 */
export class SecurityLog {
  readonly #parts: SecurityLogParts;

  constructor(parts: SecurityLogParts) {
    this.#parts = parts;
  }

  /** Records a change in the transaction that makes it, and tells the owner. */
  async record(
    tx: Tx,
    { id, username }: { readonly id: number; readonly username: string },
    action: OwnerAction,
    { details = {}, origin }: ChangeContext = {},
  ): Promise<void> {
    await this.#parts.audit.record(
      tx,
      { accountId: id, username },
      { action, targetType: 'USER', targetId: id, target: username, summary: SUMMARIES[action], details },
    );
    await this.tell(tx, id, action, origin);
  }

  /** Tells the owner of an account about a change, in the transaction that makes it. */
  async tell(tx: Tx, accountId: number, event: SecurityAction, origin?: ChangeOrigin): Promise<void> {
    const { address = null, userAgent: program = null } = origin ?? {};
    await this.#parts.notifications.notify(tx, [accountId], {
      kind: 'SECURITY',
      data: { event, program, address },
    });
  }

  /**
   * Like {@link record}, for a change that adds something. The transaction must have locked the account.
   * Removals have no limit: there cannot be more of them than additions, and an owner must always be able to
   * remove what someone else has added.
   * @throws Failure `too-many` if the account has made too many changes within a day
   */
  async recordAddition(
    tx: Tx,
    account: { readonly id: number; readonly username: string },
    action: OwnerAction,
    context: ChangeContext = {},
  ): Promise<void> {
    await this.#checkLimit(tx, account.id, OWNER_ACTIONS);
    await this.record(tx, account, action, context);
  }

  /**
   * Like {@link record}. Only password changes count towards this limit. So someone who has added many things
   * cannot prevent the owner from changing the password.
   * @throws Failure `too-many` if the password was changed too often within a day
   */
  async recordPasswordChange(
    tx: Tx,
    account: { readonly id: number; readonly username: string },
    context: ChangeContext,
  ): Promise<void> {
    await this.#checkLimit(tx, account.id, ['CHANGE_PASSWORD']);
    await this.record(tx, account, 'CHANGE_PASSWORD', context);
  }

  async #checkLimit(tx: Tx, accountId: number, actions: readonly OwnerAction[]): Promise<void> {
    const changes = await this.#parts.audit.listChangesOf(tx, accountId, actions, MAX_PER_DAY);
    const oldest = changes[MAX_PER_DAY - 1];
    const waitMs = oldest === undefined ? 0 : oldest.createdAt + DAY - this.#parts.clock.now();
    if (waitMs > 0) {
      throw new Failure('too-many', 'You have changed your logins too often today. Please try again later.', {
        retryAfterSeconds: Math.ceil(waitMs / SECOND),
      });
    }
  }

  /** The newest changes, by the owner and by administrators, newest first. */
  list(accountId: number): Promise<readonly AuditedChange<SecurityAction>[]> {
    return this.#parts.audit.listChangesOf(
      this.#parts.database.db,
      accountId,
      SECURITY_ACTIONS,
      MAX_LISTED_CHANGES,
    );
  }
}
