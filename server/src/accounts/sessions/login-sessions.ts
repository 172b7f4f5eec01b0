import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { LoginState } from '../contract.ts';
import { type Account, getAccount } from '../queries.ts';
import { toUser } from '../user.ts';
import type { AccessTokens } from './access-token.ts';
import {
  deleteSession,
  deleteSessionsOf,
  deleteSessionsUnusedSince,
  findLiveSessions,
  LiveSessionQuery,
  putSession,
  rotateRefresh,
  type Session,
} from './queries.ts';

const REFRESH_TOKEN_BITS = 256;
const SESSION_ID_BITS = 144;

/**
 * Who is logged in: one session for each account and client type. An access token names its session and is good as
 * long as that exists, so whatever replaces or deletes the row ends the tokens, on every instance at once.
 */
export class LoginSessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #accessTokens: AccessTokens;
  readonly #refreshTtlMs: number;
  readonly #liveSession: LiveSessionQuery;

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
    this.#liveSession = new LiveSessionQuery(parts.database.db);
  }

  /** Whose access token it is; undefined when it is not, or no longer, good. */
  async findCaller(token: string): Promise<Caller | undefined> {
    const verified = this.#accessTokens.read(token);
    if (verified === undefined) return undefined;
    const { accountId, sessionId, expiresAt } = verified;
    const found = await this.#liveSession.find(sessionId, accountId);
    return found === undefined ? undefined : { ...found, sessionId, tokenExpiresAt: expiresAt };
  }

  /** Which of the sessions still let their accounts in. */
  findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return findLiveSessions(this.#database.db, sessionIds);
  }

  /** Starts a session; the tokens of the one before of that client type die with the commit. */
  async start(tx: Tx, account: Account, client: ClientType): Promise<LoginState> {
    const session = { id: this.#ids.token(SESSION_ID_BITS), accountId: account.id, client };
    const refresh = this.#newRefreshToken();
    await putSession(tx, { ...session, ...refresh.right }, this.#clock.now());
    return this.#toLoginState(account, session, refresh.token);
  }

  /**
   * Exchanges a refresh token for a new pair of the same session.
   * @throws Failure `unauthenticated` when it is not the current one, `forbidden` when the account is banned
   */
  async refresh(tx: Tx, refreshToken: string): Promise<LoginState> {
    const next = this.#newRefreshToken();
    const session = await rotateRefresh(tx, hashToken(refreshToken), next.right, this.#clock.now());
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

  /** Forgets sessions that nothing can refresh any more. */
  deleteExpired(): Promise<void> {
    return this.#database.transact((tx) => deleteSessionsUnusedSince(tx, this.#clock.now()));
  }

  #newRefreshToken() {
    const token = this.#ids.token(REFRESH_TOKEN_BITS);
    const right = {
      refreshHash: hashToken(token),
      refreshExpiresAt: this.#clock.now() + this.#refreshTtlMs,
    };
    return { token, right };
  }

  #toLoginState(account: Account, session: Session, refreshToken: string): LoginState {
    const accessToken = this.#accessTokens.make({
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

export function checkNotBanned(account: { banned: 0 | 1 }): void {
  if (account.banned === 1) throw new Failure('forbidden', 'This account is banned.');
}

/** A token has as many random bits as the hash, so it needs neither salt nor slowness. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
