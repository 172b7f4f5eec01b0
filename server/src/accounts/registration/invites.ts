import type { Clock, Instant } from '../../base/clock.ts';
import { checkExpiry, isExpired } from '../../base/expiry.ts';
import { Failure } from '../../base/failure.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import { toInviteNote } from '../account-rules.ts';
import {
  countInvites,
  deleteInvite,
  findInviteByCode,
  findInviterName,
  findInvites,
  type Invite,
  insertInvite,
  spendUse,
} from './invite-queries.ts';

const MAX_INVITES = 1_000;

type InviteState = 'ACTIVE' | 'EXPIRED' | 'USED_UP';

interface InvitesParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly clock: Clock;
}

/**
 * Invite codes that administrators create, each for a number of registrations. They are listed until they are
 * deleted, whatever their state. The code in the settings, which is renewed with each use, is not one of
 * them.
 */
export class Invites {
  readonly #parts: InvitesParts;

  constructor(parts: InvitesParts) {
    this.#parts = parts;
  }

  /** @throws Failure `invalid`; `rejected` if there are too many */
  async create(
    tx: Tx,
    creatorId: number,
    wanted: { note: string | null; maxUses: number; expiresAt: Instant | null },
  ): Promise<Invite> {
    const now = this.#parts.clock.now();
    const note = wanted.note === null ? null : toInviteNote(wanted.note);
    checkExpiry(wanted.expiresAt, now);
    // Requests that create invites wait for each other here, so that the count is correct.
    await this.#parts.settings.lock(tx, 'invites');
    if ((await countInvites(tx)) >= MAX_INVITES) {
      throw new Failure('rejected', `There can be ${MAX_INVITES} invites. Please delete one.`);
    }
    const code = this.#parts.settings.newInviteCode();
    return insertInvite(tx, { ...wanted, note, code, creatorId, createdAt: now });
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<Invite>> {
    return { ...(await findInvites(this.#parts.database.db, page)), page: page.page, size: page.size };
  }

  /** @throws Failure `not-found` */
  async delete(tx: Tx, id: number): Promise<Invite> {
    const deleted = await deleteInvite(tx, id);
    if (deleted === undefined) throw new Failure('not-found', 'There is no such invite.');
    return deleted;
  }

  stateOf({ maxUses, usedCount, expiresAt }: Invite): InviteState {
    if (usedCount >= maxUses) return 'USED_UP';
    return isExpired(expiresAt, this.#parts.clock.now()) ? 'EXPIRED' : 'ACTIVE';
  }

  /** Whether the code is one of these and can be used now. */
  async isActive(db: Db, code: string): Promise<boolean> {
    const invite = await findInviteByCode(db, code);
    return invite !== undefined && this.stateOf(invite) === 'ACTIVE';
  }

  /**
   * The invite with the code, if it can be used now.
   * @returns the name of who invites; null if the account is gone
   */
  async findInviter(db: Db, code: string): Promise<{ readonly name: string | null } | undefined> {
    const invite = await findInviteByCode(db, code);
    if (invite === undefined || this.stateOf(invite) !== 'ACTIVE') return undefined;
    return { name: (await findInviterName(db, invite.id)) ?? null };
  }

  /** Takes one use of the code. Returns whether one was left. */
  spend(tx: Tx, code: string): Promise<boolean> {
    return spendUse(tx, code, this.#parts.clock.now());
  }
}
