import type { Clock } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { checkNotBanned } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { type Account, getAccount } from '../queries.ts';
import { toUser } from '../user.ts';
import type { AccessTokens } from './access-token.ts';
import {
  deleteSession,
  deleteSessionsOf,
  deleteSessionsUnusedSince,
  findLiveSession,
  findLiveSessions,
  putSession,
  rotateRefresh,
  type Session,
} from './queries.ts';

const REFRESH_TOKEN_BITS = 256;
const SESSION_ID_BITS = 144;

/**
 * Login sessions: at most one for each account and client type. An access token names its session and is
 * valid only while the session exists. So replacing or deleting the row invalidates the tokens on all
 * instances at once.
 */
export class LoginSessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #accessTokens: AccessTokens;
  readonly #refreshTtlMs: number;

  constructor(parts: {
    database: Database;
    clock: Clock;
    ids: Ids;
    accessTokens: AccessTokens;
    refreshTtlMs: number;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#accessTokens = parts.accessTokens;
    this.#refreshTtlMs = parts.refreshTtlMs;
  }

  /**
   * The caller that an access token belongs to; undefined if the token is invalid, has expired or was
   * revoked.
   */
  async findCaller(token: string): Promise<Caller | undefined> {
    const verified = this.#accessTokens.verify(token);
    if (verified === undefined) return undefined;
    const { accountId, sessionId, expiresAt } = verified;
    const found = await findLiveSession(this.#database.db, sessionId, accountId);
    return found === undefined ? undefined : { ...found, sessionId, tokenExpiresAt: expiresAt };
  }

  /** Those of the sessions that are still valid. */
  findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return findLiveSessions(this.#database.db, sessionIds);
  }

  /** Starts a session. Its commit invalidates the tokens of the previous session of that client type. */
  async start(tx: Tx, account: Account, client: ClientType): Promise<LoginState> {
    const session = { id: this.#ids.token(SESSION_ID_BITS), accountId: account.id, client };
    const refresh = this.#newRefreshToken();
    await putSession(tx, { ...session, ...refresh.stored }, this.#clock.now());
    return this.#toLoginState(account, session, refresh.token);
  }

  /**
   * Exchanges a refresh token for a new pair of the same session.
   * @throws Failure `unauthenticated` if the token is not the current one; `forbidden` if the account is
   *   banned
   */
  async refresh(tx: Tx, refreshToken: string): Promise<LoginState> {
    const next = this.#newRefreshToken();
    const session = await rotateRefresh(tx, hashToken(refreshToken), next.stored, this.#clock.now());
    if (session === undefined) {
      throw new Failure('unauthenticated', 'The login has ended. Please log in again.');
    }
    const account = await getAccount(tx, session.accountId);
    checkNotBanned(account);
    return this.#toLoginState(account, session, next.token);
  }

  end(tx: Tx, sessionId: string): Promise<void> {
    return deleteSession(tx, sessionId);
  }

  /** Ends every session of the account, of both client types. */
  endAll(tx: Tx, accountId: number): Promise<void> {
    return deleteSessionsOf(tx, accountId);
  }

  /** Deletes the sessions whose refresh token has expired. */
  deleteExpired(): Promise<void> {
    return this.#database.transact((tx) => deleteSessionsUnusedSince(tx, this.#clock.now()));
  }

  #newRefreshToken() {
    const token = this.#ids.token(REFRESH_TOKEN_BITS);
    const stored = {
      refreshHash: hashToken(token),
      refreshExpiresAt: this.#clock.now() + this.#refreshTtlMs,
    };
    return { token, stored };
  }

  #toLoginState(account: Account, session: Session, refreshToken: string): LoginState {
    const accessToken = this.#accessTokens.issue({
      accountId: account.id,
      username: account.username,
      client: session.client,
      sessionId: session.id,
    });
    return {
      token: accessToken,
      accessToken,
      refreshToken,
      expiresIn: this.#accessTokens.lifetimeSeconds,
      user: toUser(account),
    };
  }
}
