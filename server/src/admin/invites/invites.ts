import { type Accounts, getAccount, type Invite, toEmail } from '../../accounts/accounts.ts';
import type { Instant } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { mapPage } from '../../http/fields.ts';
import { type LetterLanguage, type Mail, mailIsOff, tooManyMailsWait } from '../../mail/mail.ts';
import type { AuditedActions } from '../audited-actions.ts';
import type { AdminInvite } from './contract.ts';

interface WantedInvite {
  readonly note: string | null;
  readonly maxUses: number;
  readonly expiresAt: Instant | null;
  /** The address to mail the invitation to; null to mail none. */
  readonly email: string | null;
  /** The language of the letter if the administrator prefers none. */
  readonly acceptedLanguage: LetterLanguage | null;
}

interface AdminInvitesParts {
  readonly accounts: Accounts;
  readonly actions: AuditedActions;
  readonly mail: Mail;
}

/** The invite codes of administrators. */
export class AdminInvites {
  readonly #parts: AdminInvitesParts;

  constructor(parts: AdminInvitesParts) {
    this.#parts = parts;
  }

  async list(page: PageRequest): Promise<Page<AdminInvite>> {
    return mapPage(await this.#parts.accounts.invites.list(page), (invite) => this.#toRecord(invite));
  }

  /** @throws Failure `invalid`; `rejected` if it cannot be mailed; `unavailable` if too many mails wait */
  create(caller: Caller, { email, acceptedLanguage, ...wanted }: WantedInvite): Promise<AdminInvite> {
    const to = email === null ? null : toEmail(email);
    if (to !== null && !this.#parts.mail.isOn) throw mailIsOff();
    return this.#parts.actions.perform(caller, async (tx) => {
      const invite = await this.#parts.accounts.invites.create(tx, caller.accountId, wanted);
      if (to !== null) await this.#mailInvitation(tx, caller, { to, invite, acceptedLanguage });
      const { expiresAt } = invite;
      const entry = {
        action: 'CREATE_INVITE',
        ...targetOf(invite),
        summary: `Created an invite for ${invite.maxUses} registrations.`,
        details: { uses: invite.maxUses, expiresAt: expiresAt === null ? null : toTimestamp(expiresAt) },
      } as const;
      return { result: this.#toRecord(invite), entry };
    });
  }

  /** No one can register with the code any more. @throws Failure `not-found` */
  delete(caller: Caller, id: number): Promise<void> {
    return this.#parts.actions.perform(caller, async (tx) => {
      const invite = await this.#parts.accounts.invites.delete(tx, id);
      const entry = {
        action: 'DELETE_INVITE',
        ...targetOf(invite),
        summary: `Deleted an invite that was used ${invite.usedCount} of ${invite.maxUses} times.`,
        details: { uses: invite.maxUses, usedCount: invite.usedCount },
      } as const;
      return { result: undefined, entry };
    });
  }

  /** In the language of the administrator, because that of the recipient is unknown. */
  async #mailInvitation(
    tx: Tx,
    caller: Caller,
    { to, invite, acceptedLanguage }: { to: string; invite: Invite; acceptedLanguage: LetterLanguage | null },
  ): Promise<void> {
    const { displayName: inviterName, preferredLanguage } = await getAccount(tx, caller.accountId);
    const letter = { kind: 'INVITATION', inviterName, code: invite.code } as const;
    const mail = { to, accountId: null, language: preferredLanguage ?? acceptedLanguage, letter };
    if (!(await this.#parts.mail.queue(tx, mail))) throw tooManyMailsWait();
  }

  #toRecord(invite: Invite): AdminInvite {
    const { id, code, note, maxUses, usedCount, expiresAt, createdAt } = invite;
    return {
      id,
      code,
      note,
      uses: maxUses,
      usedCount,
      state: this.#parts.accounts.invites.stateOf(invite),
      expiresAt: expiresAt === null ? null : toTimestamp(expiresAt),
      createdAt: toTimestamp(createdAt),
    };
  }
}

/** The code is never in the log, because anyone who reads the log could register with it. */
function targetOf({ id, note }: Invite) {
  return { targetType: 'INVITE', targetId: id, target: note ?? `invite ${id}` } as const;
}
