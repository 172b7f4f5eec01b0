import type { Clock } from '../../base/clock.ts';
import type { TokenKind } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { TOKEN_TTL_MS } from '../../mail/mail.ts';
import { deleteOldestTokens, findTokenOwner, insertToken, spendToken } from './queries.ts';

const TOKEN_BITS = 256;

/** With the sixth token of a kind, the account's oldest one of that kind goes. */
const MAX_TOKENS = 5;

const LIFETIMES_MS: Readonly<Record<TokenKind, number>> = {
  PASSWORD_RESET: TOKEN_TTL_MS.PASSWORD_RESET,
  EMAIL_VERIFICATION: TOKEN_TTL_MS.VERIFICATION,
};

interface AccountTokensParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * The tokens in mails to the owners of accounts. A token works once, and only for the address that it was
 * mailed to. The database has only hashes.
 */
export class AccountTokens {
  readonly #parts: AccountTokensParts;

  constructor(parts: AccountTokensParts) {
    this.#parts = parts;
  }

  /**
   * Creates a token that is good for the address it is mailed to. Transactions that create tokens of one kind
   * for one account must exclude each other: otherwise the account could get too many.
   * @param accountId of no account to run the same statements without storing anything
   */
  async create(
    tx: Tx,
    kind: TokenKind,
    { accountId, foldedEmail }: { readonly accountId: number; readonly foldedEmail: string },
  ): Promise<string> {
    const token = this.#parts.ids.token(TOKEN_BITS);
    const expiresAt = this.#parts.clock.now() + LIFETIMES_MS[kind];
    const stored = { hash: hashToken(token), kind, accountId, foldedEmail, expiresAt };
    await insertToken(tx, stored);
    await deleteOldestTokens(tx, stored, MAX_TOKENS - 1);
    return token;
  }

  /**
   * The account that the token belongs to.
   * @throws Failure `rejected` if the token cannot be spent
   */
  async getOwner(
    token: string,
    kind: TokenKind,
  ): Promise<{ readonly id: number; readonly username: string }> {
    const wanted = { hash: hashToken(token), kind, now: this.#parts.clock.now() };
    const owner = await findTokenOwner(this.#parts.database.db, wanted);
    if (owner === undefined) throw invalidToken();
    return owner;
  }

  /**
   * Spends a token. The transaction must have locked its owner.
   * @throws Failure `rejected` if the token cannot be spent
   */
  async spend(tx: Tx, token: string, kind: TokenKind): Promise<void> {
    const wanted = { hash: hashToken(token), kind, now: this.#parts.clock.now() };
    if (!(await spendToken(tx, wanted))) throw invalidToken();
  }

  /** Deletes expired tokens, in batches. Stops when the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'account_token', this.#parts.clock.now(), signal);
  }
}

function invalidToken(): Failure {
  return new Failure('rejected', 'This link has expired or was already used. Ask for a new one.');
}
