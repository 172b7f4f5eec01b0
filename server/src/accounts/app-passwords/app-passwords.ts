import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { AppPasswordScope } from '../../base/domain/accounts.ts';
import { checkExpiry, isExpired } from '../../base/expiry.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { byAddress, CREDENTIALS_BY_ADDRESS, type CredentialLimiter } from '../../limits/limits.ts';
import { checkNotBanned, foldUsername, toCredentialName } from '../account-rules.ts';
import { lockAccount } from '../queries.ts';
import type { FailedLogin } from '../security/login-attempts.ts';
import { lockOwnAccount } from '../security/owner-check.ts';
import type { SecondFactorRequirement } from '../security/second-factor-requirement.ts';
import type { SecurityLog } from '../security/security-log.ts';
import {
  type AppPassword,
  countAppPasswords,
  deleteAppPassword,
  deleteExpiredAppPasswords,
  findKnownAppPassword,
  findLiveAppPasswords,
  insertAppPassword,
  type KnownAppPassword,
  listAppPasswords,
  setLastUsed,
} from './queries.ts';

export const MAX_APP_PASSWORDS = 50;
const LAST_USE_ACCURACY_MS = MINUTE;

const PREFIX = 'hda_';
const RANDOM_LENGTH = 32;
const FORM = /^hda_[0-9A-Za-z]{32}$/;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SESSION_PREFIX = 'app-password:';

/** Whether the text looks like an app password. No access token starts with this prefix. */
export function isAppPassword(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Whether the session id of a caller stands for an app password. */
export function isAppPasswordSession(sessionId: string): boolean {
  return sessionId.startsWith(SESSION_PREFIX);
}

interface AppPasswordsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limiter: CredentialLimiter;
  readonly requirement: SecondFactorRequirement;
  readonly log: SecurityLog;
  readonly onFailed: (login: FailedLogin) => void;
}

/**
 * App passwords: credentials for programs that act for an account. Every request looks up its password with
 * one indexed statement, which costs as much as looking up a login session. So a deletion or a ban takes
 * effect immediately, on every instance.
 */
export class AppPasswords {
  readonly #parts: AppPasswordsParts;

  constructor(parts: AppPasswordsParts) {
    this.#parts = parts;
  }

  /**
   * Creates an app password. It is returned here and never again. Also deletes the account's expired ones.
   * @throws Failure `invalid`; `rejected` if the account has 50; `unauthenticated` if the login has ended
   *   meanwhile, because what ends logins must also end app passwords; `too-many`
   */
  async create(
    caller: Caller,
    wanted: { name: string; scope: AppPasswordScope; expiresAt: Instant | null },
  ): Promise<{ readonly appPassword: AppPassword; readonly password: string }> {
    const { scope, expiresAt } = wanted;
    const name = toCredentialName(wanted.name);
    const now = this.#parts.clock.now();
    checkExpiry(expiresAt, now);
    const password = this.#generate();
    const appPassword = await this.#parts.database.transact(async (tx) => {
      // The lock makes requests that create app passwords for one account wait for each other.
      const account = await lockOwnAccount(tx, caller);
      await deleteExpiredAppPasswords(tx, caller.accountId, now);
      if ((await countAppPasswords(tx, caller.accountId)) >= MAX_APP_PASSWORDS) {
        throw new Failure(
          'rejected',
          `An account can have ${MAX_APP_PASSWORDS} app passwords. Please delete one.`,
        );
      }
      await this.#parts.log.recordAddition(tx, account, 'CREATE_APP_PASSWORD', { details: { name, scope } });
      const stored = { name, scope, createdAt: now, expiresAt };
      return insertAppPassword(tx, caller.accountId, hashToken(password), stored);
    });
    return { appPassword, password };
  }

  /** Newest first. Expired ones are listed until the next one is created. */
  list(accountId: number): Promise<readonly AppPassword[]> {
    return listAppPasswords(this.#parts.database.db, accountId);
  }

  /** @throws Failure `not-found` */
  async delete(accountId: number, id: number): Promise<void> {
    await this.#parts.database.transact(async (tx) => {
      const account = await lockAccount(tx, accountId);
      const deleted = await deleteAppPassword(tx, accountId, id);
      if (deleted === undefined) throw new Failure('not-found', 'There is no such app password.');
      await this.#parts.log.record(tx, account, 'DELETE_APP_PASSWORD', { details: deleted });
    });
  }

  /**
   * The caller that the app password belongs to; undefined if it is wrong or has expired. A correct one is
   * accepted even while the address is blocked for wrong ones: app passwords cannot be guessed, so a guesser
   * learns nothing.
   * @param credentials the app password, and the username in any case if the client sends one
   * @throws Failure `too-many` if the address has sent too many wrong ones; `forbidden` if the account is
   *   banned
   */
  async findCaller(
    { password, username }: { password: string; username?: string },
    address: string,
  ): Promise<Caller | undefined> {
    const known = FORM.test(password)
      ? await findKnownAppPassword(
          this.#parts.database.db,
          hashToken(password),
          this.#parts.requirement.countedMethods,
        )
      : undefined;
    if (known === undefined || !isNameOf(known, username)) {
      await this.#countFailure(address);
      return undefined;
    }
    const { id, accountId, driveId, role, scope, expiresAt } = known;
    if (isExpired(expiresAt, this.#parts.clock.now())) return undefined;
    checkNotBanned(known);
    await this.#recordUse(known);
    return {
      accountId,
      driveId,
      username: known.username,
      role,
      sessionId: `${SESSION_PREFIX}${id}`,
      client: 'desktop',
      // Users who must change their password cannot create app passwords.
      mustChangePassword: false,
      mustSetUpSecondFactor: known.hasSecondFactor === 0 && this.#parts.requirement.appliesTo(role),
      tokenExpiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
      appPasswordScope: scope,
    };
  }

  /** Returns the session ids whose app passwords are still valid. */
  async findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = sessionIds.map((sessionId) => Number(sessionId.slice(SESSION_PREFIX.length)));
    const live = await findLiveAppPasswords(this.#parts.database.db, ids, this.#parts.clock.now());
    return new Set(live.map((id) => `${SESSION_PREFIX}${id}`));
  }

  async #countFailure(address: string): Promise<void> {
    const wrong = new Failure('unauthenticated', 'The app password is wrong.');
    this.#parts.onFailed({ method: 'app-password', address });
    try {
      await this.#parts.limiter.attempt([byAddress(CREDENTIALS_BY_ADDRESS, address)], () =>
        Promise.reject(wrong),
      );
    } catch (error) {
      if (error !== wrong) throw error;
    }
  }

  async #recordUse({ id, lastUsedAt }: KnownAppPassword): Promise<void> {
    const now = this.#parts.clock.now();
    const unlessAfter = now - LAST_USE_ACCURACY_MS;
    if (lastUsedAt !== null && lastUsedAt > unlessAfter) return;
    try {
      await this.#parts.database.transact((tx) => setLastUsed(tx, id, now, unlessAfter));
    } catch {
      // A full disk must not keep programs from reading. The next request tries again.
    }
  }

  /** 32 random digits of base 62: 190 bits. */
  #generate(): string {
    let digits = '';
    while (digits.length < RANDOM_LENGTH) {
      for (const byte of Buffer.from(this.#parts.ids.token(RANDOM_LENGTH * 12), 'base64url')) {
        // Bytes from 248 on would make some digits more likely than others.
        if (byte < 248) digits += DIGITS[byte % 62];
      }
    }
    return PREFIX + digits.slice(0, RANDOM_LENGTH);
  }
}

function isNameOf({ username }: KnownAppPassword, name: string | undefined): boolean {
  return name === undefined || foldUsername(name) === foldUsername(username);
}
