import { setImmediate as endOfTurn } from 'node:timers/promises';
import { type Clock, DAY, SECOND } from '../../base/clock.ts';
import { SharedRuns } from '../../base/concurrency/shared-run.ts';
import { withTimeLimit } from '../../base/concurrency/time-limit.ts';
import type { ClientType, SessionEnd } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import type { Caller } from '../../http/caller.ts';
import { checkNotBanned } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { toUser } from '../profile.ts';
import { type Account, type AccountWithUsage, getAccount } from '../queries.ts';
import type { KnownLogins, ToldLogins } from '../security/known-logins.ts';
import { findLiveSessions } from '../security/queries.ts';
import type { SecondFactorRequirement } from '../security/second-factor-requirement.ts';
import type { AccessTokens } from './access-token.ts';
import {
  type DeletedSession,
  deleteSurplusEnds,
  findEnd,
  findEndByRefresh,
  insertEnds,
} from './end-queries.ts';
import {
  deleteExpiredSessions,
  deleteLeastRecentlyUsed,
  deleteOtherSessions,
  deleteReplaced,
  deleteSession,
  deleteSessionsOf,
  findDevice,
  findLiveSession,
  type ListedSession,
  type LiveSession,
  listSessions,
  rotateRefresh,
  type Session,
  type SessionUse,
  upsertSession,
} from './queries.ts';
import { SessionPresence } from './session-presence.ts';

const REFRESH_TOKEN_BITS = 256;
const SESSION_ID_BITS = 144;

/** If a login exceeds this number, the least recently used session ends. */
export const MAX_SESSIONS = 50;

/** How long the service can tell why a session ended, to a client that still has its tokens. */
const END_KEPT_MS = 30 * DAY;

/** Every request waits for this query, and requests of one session share it. */
const MAX_LOOKUP_MS = 10 * SECOND;

/** Deleting more rows in one statement would stop the event loop for too long. */
const EXPIRED_PER_BATCH = 1_000;

/** Longer texts are truncated. They are shown to the owner of the session, and nothing depends on them. */
const MAX_ADDRESS_LENGTH = 64;
const MAX_USER_AGENT_LENGTH = 512;

/** Why a session has ended, for its user. */
const END_MESSAGES: Readonly<Record<SessionEnd, string>> = {
  'logged-out': 'You have logged out. Please log in again.',
  'logged-out-elsewhere': 'This login was ended from another device. Please log in again.',
  'password-changed': 'The password was changed. Please log in with the new one.',
  'password-reset': 'An administrator has set a new password. Please log in with it.',
  banned: 'This account is blocked.',
  deleted: 'This account was deleted.',
  replaced: 'This login was replaced by a newer one. Please log in again.',
  'too-many':
    'There were too many logins, so the one that was not used for the longest has ended. Please log in again.',
  expired: 'This login was not used for a long time and has expired. Please log in again.',
};

/** Where a request that starts or refreshes a session comes from. */
export interface Origin {
  readonly address: string;
  readonly client: ClientType;
  /** The UUID of the device; null if the client names none. */
  readonly device: string | null;
  /** What the client calls itself. */
  readonly userAgent: string | null;
}

interface LoginSessionsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accessTokens: AccessTokens;
  readonly refreshTtlMs: number;
  readonly requirement: SecondFactorRequirement;
  readonly knownLogins: KnownLogins;
}

/**
 * Login sessions: at most one for each account, client type and device; clients that name no device share
 * one. An access token names its session and is valid only while the session exists. So replacing or deleting
 * the row invalidates the tokens on all instances at once.
 */
export class LoginSessions {
  readonly presence: SessionPresence;
  readonly #parts: LoginSessionsParts;
  /**
   * A browser sends many requests at a time. A lookup starts once the event loop has read what has arrived on
   * all connections, so requests that arrive together share it. A single request waits a few microseconds.
   */
  readonly #lookups = new SharedRuns<LiveSession | undefined>(endOfTurn);

  constructor(parts: LoginSessionsParts) {
    this.#parts = parts;
    this.presence = new SessionPresence(parts);
  }

  /**
   * The caller that an access token belongs to; undefined if the token is invalid, has expired or was
   * revoked.
   */
  async findCaller(token: string): Promise<Caller | undefined> {
    const verified = this.#parts.accessTokens.verify(token);
    if (verified === undefined) return undefined;
    const { accountId, sessionId, expiresAt } = verified;
    const ids = { sessionId, accountId };
    const findSession = () =>
      findLiveSession(this.#parts.database.db, ids, this.#parts.requirement.countedMethods);
    const lookup = this.#lookups.wait(`${accountId} ${sessionId}`, () => limitLookup(findSession()));
    // A request may wait for the lookup of others before its own begins.
    const found = await limitLookup(lookup);
    if (found === undefined) return undefined;
    const { driveId, username, role, client, mustChangePassword, hasSecondFactor } = found;
    return {
      ...ids,
      driveId,
      username,
      role,
      client,
      mustChangePassword: mustChangePassword === 1,
      mustSetUpSecondFactor: hasSecondFactor === 0 && this.#parts.requirement.appliesTo(role),
      tokenExpiresAt: expiresAt,
    };
  }

  /**
   * Why the session of an access token has ended; undefined if the token is not valid, or if the reason is
   * not known.
   */
  async findEnd(token: string): Promise<Failure | undefined> {
    const verified = this.#parts.accessTokens.verify(token);
    const end = verified && (await findEnd(this.#parts.database.db, verified, this.#parts.clock.now()));
    return end && endedLogin(end);
  }

  /** Returns the sessions that are still valid. */
  findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return findLiveSessions(this.#parts.database.db, sessionIds);
  }

  /**
   * Starts a session. Its commit invalidates the tokens of the previous session of that client type and
   * device. The transaction must have locked the account, so that simultaneous logins cannot exceed the
   * limit.
   * @param told which logins from somewhere new the owner is told about
   */
  async start(tx: Tx, account: Account, origin: Origin, told: ToldLogins = 'all'): Promise<LoginState> {
    const { client, device } = origin;
    const session = { id: this.#parts.ids.token(SESSION_ID_BITS), accountId: account.id, client };
    const { token, use } = this.#newRefreshToken(origin);
    await this.#recordEnds(tx, 'replaced', await deleteReplaced(tx, { ...session, device }));
    await upsertSession(tx, { ...session, device }, use);
    const others = MAX_SESSIONS - 1;
    await this.#recordEnds(
      tx,
      'too-many',
      await deleteLeastRecentlyUsed(tx, account.id, { newId: session.id, others }),
    );
    await this.#parts.knownLogins.note(tx, account.id, { ...use, device }, told);
    return this.#toLoginState(tx, await getAccount(tx, account.id), session, token);
  }

  /** After a password change: ends all sessions, and starts a new one on the device of the given session. */
  async startOver(tx: Tx, account: Account, sessionId: string, origin: Origin): Promise<LoginState> {
    const device = await findDevice(tx, sessionId);
    await this.endAll(tx, account.id, 'password-changed');
    return this.start(tx, account, { ...origin, device }, 'none');
  }

  /**
   * Exchanges a refresh token for a new pair of the same session. The session keeps its client type and
   * device, whatever the origin says, so that no token can take the place of another session.
   * @throws Failure `unauthenticated` if the token is not the current one; `forbidden` if the account is
   *   banned
   */
  async refresh(tx: Tx, refreshToken: string, origin: Origin): Promise<LoginState> {
    const { token, use } = this.#newRefreshToken(origin);
    const session = await rotateRefresh(tx, hashToken(refreshToken), use);
    if (session === undefined) {
      throw endedLogin(await findEndByRefresh(tx, hashToken(refreshToken), this.#parts.clock.now()));
    }
    const account = await getAccount(tx, session.accountId);
    checkNotBanned(account);
    return this.#toLoginState(tx, account, session, token);
  }

  /** The sessions of the account, most recently used first. */
  list(accountId: number): Promise<readonly ListedSession[]> {
    return listSessions(this.#parts.database.db, accountId, this.#parts.clock.now());
  }

  /** Returns false if the account has no such session. */
  async end(tx: Tx, accountId: number, sessionId: string, end: SessionEnd): Promise<boolean> {
    const deleted = await deleteSession(tx, accountId, sessionId);
    await this.#recordEnds(tx, end, deleted);
    return deleted.length > 0;
  }

  /** Ends every session of the account but that one, and returns how many these were. */
  async endOthers(tx: Tx, accountId: number, keptId: string): Promise<number> {
    const deleted = await deleteOtherSessions(tx, accountId, keptId);
    await this.#recordEnds(tx, 'logged-out-elsewhere', deleted);
    return deleted.length;
  }

  /** Ends every session of the account, of both client types. */
  async endAll(tx: Tx, accountId: number, end: SessionEnd): Promise<void> {
    await this.#recordEnds(tx, end, await deleteSessionsOf(tx, accountId));
  }

  /**
   * Deletes the sessions whose refresh token has expired, and old ends of sessions, in batches. Stops when
   * the signal aborts.
   */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    await this.#parts.database.transactInBatches(EXPIRED_PER_BATCH, signal, async (tx, limit) => {
      const now = this.#parts.clock.now();
      const deleted = await deleteExpiredSessions(tx, now, limit);
      await insertEnds(tx, deleted, { cause: 'expired', expiresAt: now + END_KEPT_MS });
      return deleted.length;
    });
    await deleteExpiredRows(this.#parts.database, 'ended_session', this.#parts.clock.now(), signal);
  }

  async #recordEnds(tx: Tx, cause: SessionEnd, sessions: readonly DeletedSession[]): Promise<void> {
    const [first] = sessions;
    if (first === undefined) return;
    await insertEnds(tx, sessions, { cause, expiresAt: this.#parts.clock.now() + END_KEPT_MS });
    await deleteSurplusEnds(tx, first.account_id);
  }

  #newRefreshToken({ address, userAgent }: Origin): { readonly token: string; readonly use: SessionUse } {
    const token = this.#parts.ids.token(REFRESH_TOKEN_BITS);
    const now = this.#parts.clock.now();
    const use = {
      refreshHash: hashToken(token),
      refreshExpiresAt: now + this.#parts.refreshTtlMs,
      address: address.slice(0, MAX_ADDRESS_LENGTH) || null,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) || null,
      usedAt: now,
    };
    return { token, use };
  }

  async #toLoginState(
    tx: Tx,
    account: AccountWithUsage,
    session: Session,
    refreshToken: string,
  ): Promise<LoginState> {
    const accessToken = this.#parts.accessTokens.issue({
      accountId: account.id,
      username: account.username,
      client: session.client,
      sessionId: session.id,
    });
    return {
      token: accessToken,
      accessToken,
      refreshToken,
      expiresIn: this.#parts.accessTokens.lifetimeSeconds,
      mustChangePassword: account.mustChangePassword === 1,
      ...((await this.#parts.requirement.isUnmet(tx, account)) ? { mustSetUpSecondFactor: true } : {}),
      user: toUser(account),
    };
  }
}

function limitLookup<T>(lookup: Promise<T>): Promise<T> {
  return withTimeLimit(
    lookup,
    MAX_LOOKUP_MS,
    () =>
      new Failure('unavailable', 'The database does not answer. Please try again.', { retryAfterSeconds: 5 }),
  );
}

/**
 * The failure of a request with a token of an ended session.
 * @param end undefined if the cause is not known
 */
function endedLogin(end: SessionEnd | undefined): Failure {
  if (end === undefined) return new Failure('unauthenticated', 'The login has ended. Please log in again.');
  return new Failure('unauthenticated', END_MESSAGES[end], { sessionEnd: end });
}
