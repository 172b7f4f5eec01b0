import { type Clock, MINUTE } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  byAddress,
  CODES_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
} from '../../limits/limits.ts';
import { checkNotBanned, foldUsername } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { findCredentials, lockAccount } from '../queries.ts';
import type { SecondFactors } from '../second-factor/second-factors.ts';
import { type FailedLogin, limitGuesses } from '../security/login-attempts.ts';
import { LoginTickets, type VerifiedTicket } from '../security/login-tickets.ts';
import type { LoginSessions, Origin } from './login-sessions.ts';

const TICKET_LIFETIME_MS = 5 * MINUTE;

interface Claims {
  readonly accountId: number;
  readonly client: ClientType;
  /** The fingerprint of the password hash, so that a change of the password invalidates the ticket. */
  readonly passwordFingerprint: string;
}

/** The ticket is wrong, was used, has expired, or was invalidated: the user has to start the login again. */
export class InvalidLoginTicket extends Failure {
  constructor() {
    super('unauthenticated', 'This login has ended. Please log in again.');
  }
}

/** A login that still needs a code after the right password. */
export interface UnfinishedLogin {
  readonly ticket: string;
}

interface SecondFactorLoginParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limiter: CredentialLimiter;
  readonly sessions: LoginSessions;
  readonly secondFactors: SecondFactors;
  readonly serviceSecret: string;
  readonly onFailed: (login: FailedLogin) => void;
}

/**
 * The second step of a login: a code, together with the ticket from the first step.
 *
 * Wrong codes count under the same keys as wrong passwords. A correct password does not end a streak of
 * failures: otherwise someone who knows it could keep guessing codes by entering it after every few guesses.
 */
export class SecondFactorLogin {
  readonly #parts: SecondFactorLoginParts;
  readonly #tickets: LoginTickets<Claims>;

  constructor(parts: SecondFactorLoginParts) {
    this.#parts = parts;
    this.#tickets = new LoginTickets({
      kind: 'second factor',
      secret: parts.serviceSecret,
      lifetimeMs: TICKET_LIFETIME_MS,
      clock: parts.clock,
      ids: parts.ids,
    });
  }

  /** The ticket of a login that needs a code; undefined if the account has no second factor. */
  async begin(
    tx: Tx,
    { id, passwordHash }: { id: number; passwordHash: string | null },
    { client }: Origin,
  ): Promise<UnfinishedLogin | undefined> {
    if (!(await this.#parts.secondFactors.isOn(tx, id))) return undefined;
    return {
      ticket: this.#tickets.issue({
        accountId: id,
        client,
        passwordFingerprint: this.#fingerprint(passwordHash),
      }),
    };
  }

  /**
   * Finishes a login. After a wrong code the ticket is still valid.
   * @throws Failure `unauthenticated` for a wrong code; `forbidden` for a banned account; `too-many`;
   *   InvalidLoginTicket, also for a ticket of another client type
   */
  async finish(ticketText: string, code: string, origin: Origin): Promise<LoginState> {
    const ticket = this.#tickets.verify(ticketText);
    const account =
      ticket === undefined || ticket.claims.client !== origin.client
        ? undefined
        : await findCredentials(this.#parts.database.db, { id: ticket.claims.accountId });
    if (ticket === undefined || account === undefined) {
      const limits = [byAddress(CREDENTIALS_BY_ADDRESS, origin.address)];
      return this.#parts.limiter.attempt(limits, () => Promise.reject(new InvalidLoginTicket()));
    }
    const limits = [
      // The limit with the longest delay comes first, because `Retry-After` reports the delay of the first
      // exceeded limit.
      { rule: CODES_BY_ACCOUNT, key: String(account.id) },
      ...limitGuesses(origin.address, foldUsername(account.username)),
    ];
    return this.#parts.limiter.attempt(limits, () =>
      this.#parts.database.transact((tx) => this.#finish(tx, ticket, code, origin)),
    );
  }

  async #finish(tx: Tx, ticket: VerifiedTicket<Claims>, code: string, origin: Origin): Promise<LoginState> {
    const { accountId, passwordFingerprint } = ticket.claims;
    const account = await lockAccount(tx, accountId);
    if (this.#fingerprint(account.passwordHash) !== passwordFingerprint) throw new InvalidLoginTicket();
    checkNotBanned(account);
    // The app may have been removed since the first step. Then no code is correct.
    if (!(await this.#parts.secondFactors.isOn(tx, accountId))) throw new InvalidLoginTicket();
    // If the code is wrong, the transaction is rolled back, and the ticket remains unused.
    if (!(await this.#tickets.use(tx, ticket))) throw new InvalidLoginTicket();
    if (!(await this.#parts.secondFactors.useCode(tx, accountId, code))) {
      this.#parts.onFailed({ method: 'code', address: origin.address, accountId });
      throw new Failure('unauthenticated', 'The code is wrong or was used before.');
    }
    return this.#parts.sessions.start(tx, account, origin);
  }

  #fingerprint(passwordHash: string | null): string {
    return this.#tickets.fingerprint(passwordHash ?? '');
  }
}
